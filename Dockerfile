# Builds JSPDL, and an image that needs no privileges; SECURITY.md says how to run it.
#
#   docker build -t jspdl .
FROM eclipse-temurin:25-jdk AS build
WORKDIR /build
COPY . .
RUN ./mvnw -q -B -Dfast -DskipTests -pl cli -am package

FROM eclipse-temurin:25-jre
# Root's, and to be written by nobody: whoever runs it cannot change what runs.
COPY --from=build --chown=0:0 --chmod=0644 /build/release/options /build/cli/target/app/*.jar /opt/jspdl/
COPY --from=build --chown=0:0 --chmod=0644 /build/LICENSE /build/NOTICE /build/THIRD-PARTY.md /build/release/licenses/*.txt /opt/jspdl/licenses/
ENV LC_ALL=C.UTF-8 XDG_CACHE_HOME=/tmp/cache
USER 10001:10001
WORKDIR /tmp
ENTRYPOINT ["java", "@/opt/jspdl/options", "-XX:MaxRAMPercentage=25", "-cp", "/opt/jspdl/*", "org.jspdl.cli.Main"]
CMD ["--help"]
