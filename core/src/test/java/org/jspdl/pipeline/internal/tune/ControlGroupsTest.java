package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.pipeline.TuningBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupsTest {
    private static final long MB = 1 << 20;

    @TempDir
    Path folder;

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private ControlGroups groups() {
        return new ControlGroups(folder.resolve("proc"), folder.resolve("cgroup"));
    }

    private Resources resources(TuningBudget budget) {
        return new ResourceReader(folder.resolve("proc"), folder.resolve("cgroup"), budget).read();
    }

    private void secondVersion() throws IOException {
        file("proc/self/cgroup", "0::/jobs/train\n");
        file("cgroup/jobs/memory.max", 4_000 * MB + "\n");
        file("cgroup/jobs/memory.current", 3_500 * MB + "\n");
        file("cgroup/jobs/memory.stat", "anon 5\ninactive_file " + 200 * MB + "\nactive_file 7\n");
        file("cgroup/jobs/train/memory.max", "max\n");
        file("cgroup/jobs/train/memory.current", 3_000 * MB + "\n");
        file("cgroup/jobs/cpu.max", "max 100000\n");
        file("cgroup/jobs/train/cpu.max", "150000 100000\n");
    }

    @Test
    void ofVersionTwoTheTightestLimitOfAllGroupsAroundCounts() throws IOException {
        secondVersion();

        assertThat(groups().memory()).hasValue(new ControlGroups.Room(4_000 * MB, 700 * MB));
        assertThat(groups().processors()).hasValue(1.5);
    }

    @Test
    void versionOneHasItsOwnFoldersAndFiles() throws IOException {
        file("proc/self/cgroup", "5:cpu,cpuacct:/pod\n4:memory:/pod\n1:name=systemd:/\n0::/\n");
        file("cgroup/memory/pod/memory.limit_in_bytes", 2_000 * MB + "\n");
        file("cgroup/memory/pod/memory.usage_in_bytes", 500 * MB + "\n");
        file("cgroup/memory/pod/memory.stat", "cache 1\ntotal_inactive_file " + 100 * MB + "\n");
        file("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        file("cgroup/memory/memory.usage_in_bytes", "7\n");
        file("cgroup/cpu/pod/cpu.cfs_quota_us", "-1\n");
        file("cgroup/cpu/pod/cpu.cfs_period_us", "100000\n");

        assertThat(groups().memory()).hasValue(new ControlGroups.Room(2_000 * MB, 1_600 * MB));
        assertThat(groups().processors()).isEmpty();
    }

    @Test
    void aContainerSeesItsGroupAsTheRoot() throws IOException {
        file("proc/self/cgroup", "0::/system.slice/docker-17.scope\n");
        file("cgroup/memory.max", 1_000 * MB + "\n");
        file("cgroup/memory.current", 400 * MB + "\n");

        assertThat(groups().memory()).hasValue(new ControlGroups.Room(1_000 * MB, 600 * MB));
    }

    @Test
    void aNameThatLeavesTheMountIsNotFollowed() throws IOException {
        file("proc/self/cgroup", "0::/../../secret\n");
        file("secret/memory.max", "5\n");
        file("secret/memory.current", "5\n");

        assertThat(groups().memory()).isEmpty();
    }

    @Test
    void withoutControlGroupsThereAreNoLimits() {
        assertThat(groups().memory()).isEmpty();
        assertThat(groups().processors()).isEmpty();
    }

    @Test
    void ofMachineGroupsAndBudgetTheLeastMemoryIsLeft() throws IOException {
        secondVersion();
        file("proc/meminfo", "MemTotal: 8192000 kB\nMemFree: 1 kB\nMemAvailable: 1024000 kB\n");
        file("proc/self/status", "Name: java\nVmRSS:\t  409600 kB\n");
        file("proc/stat", "cpu  100 20 30 4000 500 6 7 8 9 10\ncpu0 1 1 1 1\n");

        Resources machine = resources(TuningBudget.MACHINE);
        assertThat(machine.headroomBytes()).isEqualTo(700 * MB);
        assertThat(machine.limitBytes()).isEqualTo(4_000 * MB);
        assertThat(machine.residentBytes()).isEqualTo(400 * MB);
        assertThat(machine.machineNanos()).isEqualTo(171 * 10_000_000L);
        assertThat(machine.usable()).isLessThanOrEqualTo(1.5);

        Resources budget = resources(TuningBudget.MACHINE.memoryBytes(600 * MB).processors(0.5));
        assertThat(budget.headroomBytes()).isEqualTo(200 * MB);
        assertThat(budget.limitBytes()).isEqualTo(600 * MB);
        assertThat(budget.usable()).isEqualTo(0.5);
    }

    /// Another container that uses the other 62 processors takes nothing from the two of this one.
    @Test
    void onlyProcessorsThatThisProcessMayRunOnCount() throws IOException {
        StringBuilder stat = new StringBuilder("cpu  6400 0 0 10 0 0 0 0 0 0\n");
        for (int cpu = 0; cpu < 64; cpu++) {
            int user = cpu == 8 || cpu == 11 ? 5 : 100;
            stat.append("cpu").append(cpu).append(' ').append(user).append(" 1 0 10 5 0 0 2 0 0\n");
        }
        file("proc/stat", stat + "intr 1 2 3\n");
        file("proc/self/status", "VmRSS:\t  4 kB\nCpus_allowed:\t900\nCpus_allowed_list:\t8,11\n");

        Resources two = resources(TuningBudget.MACHINE);
        assertThat(two.processors()).isEqualTo(2);
        assertThat(two.machineNanos()).isEqualTo(2 * 8 * 10_000_000L);

        file("proc/self/status", "Cpus_allowed_list:\t0-63\n");
        assertThat(resources(TuningBudget.MACHINE).processors()).isEqualTo(64);
    }

    /// As where a container is shown processors of its own.
    @Test
    void withoutTheProcessorsThatItMayRunOnTheSumOfAllCounts() throws IOException {
        file("proc/stat", "cpu  100 20 30 4000 500 6 7 8 9 10\ncpu0 100 20 30 4000 500 6 7 8 9 10\n");
        file("proc/self/status", "Cpus_allowed_list:\t17-18\n");

        Resources resources = resources(TuningBudget.MACHINE);
        assertThat(resources.machineNanos()).isEqualTo(171 * 10_000_000L);
        assertThat(resources.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());

        for (String odd : new String[] {"", "-", "3-1", "a-b", "99999999999", "0-99999999"}) {
            file("proc/self/status", "Cpus_allowed_list:\t" + odd + "\n");
            assertThat(resources(TuningBudget.MACHINE).machineNanos()).as(odd).isEqualTo(171 * 10_000_000L);
        }
    }

    @Test
    void aMachineThatTellsNothingHasRoom() {
        Resources resources = resources(TuningBudget.MACHINE);

        assertThat(resources.isMemoryScarce()).isFalse();
        assertThat(resources.machineNanos()).isEqualTo(-1);
    }
}
