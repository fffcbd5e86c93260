import java.io.File;
import java.util.Map;
import java.util.TreeSet;
import org.gradle.api.Project;
import org.gradle.api.artifacts.dsl.DependencyHandler;
import org.gradle.testfixtures.ProjectBuilder;

/// What Gradle's own engine makes of the dependencies that `build.gradle.kts` names, for machines without the program
/// `gradle`: `GradleResolution STAGING VERSION FOLDER`. Prints the files of the class path, one a line. `release/check`
/// runs it.
class GradleResolution {
    private GradleResolution() {}

    public static void main(String[] arguments) {
        File folder = new File(arguments[2]);
        Project project = ProjectBuilder.builder()
                .withProjectDir(new File(folder, "project"))
                .withGradleUserHomeDir(new File(folder, "home"))
                .build();
        project.apply(Map.of("plugin", "java-library"));
        project.getRepositories().maven(staging -> staging.setUrl(arguments[0]));
        project.getRepositories().mavenCentral();
        DependencyHandler dependencies = project.getDependencies();
        dependencies.add("implementation", dependencies.platform("org.jspdl:jspdl-bom:" + arguments[1]));
        dependencies.add("implementation", "org.jspdl:jspdl-data");
        TreeSet<File> files = new TreeSet<>(
                project.getConfigurations().getByName("runtimeClasspath").getFiles());
        files.forEach(System.out::println);
        System.exit(0); // Gradle's threads would go on
    }
}
