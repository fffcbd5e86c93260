// What docs/how-to/install.md tells users of Gradle to write; release/check builds it from a staged release where Gradle is installed.
plugins {
    java
}

val staging: String by project
val release: String by project

repositories {
    maven(url = staging)
    mavenCentral()
}

dependencies {
    implementation(platform("org.jspdl:jspdl-bom:$release"))
    implementation("org.jspdl:jspdl-data")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

tasks.register<Copy>("libraries") {
    from(configurations.runtimeClasspath)
    into("target/lib")
}
