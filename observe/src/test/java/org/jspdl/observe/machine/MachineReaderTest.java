package org.jspdl.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineReaderTest {
    @TempDir
    Path folder;

    private final List<Long> pids = new ArrayList<>(List.of(7L));

    private Path powercap() {
        return folder.resolve("powercap");
    }

    private MachineReader reader() {
        return MachineReader.of(powercap(), folder.resolve("proc"), () -> List.copyOf(pids));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void zone(String zone, String name, long microjoules) throws IOException {
        write("powercap/" + zone + "/name", name + "\n");
        write("powercap/" + zone + "/max_energy_range_uj", "1000000\n");
        write("powercap/" + zone + "/energy_uj", microjoules + "\n");
    }

    private void process(long pid, long read, long written, long pssKibibytes) throws IOException {
        write("proc/" + pid + "/io", "rchar: 9\nread_bytes: " + read + "\nwrite_bytes: " + written + "\n");
        write(
                "proc/" + pid + "/smaps_rollup",
                "00400000-7ffc ---p 00000000 00:00 0 [rollup]\nRss: 9 kB\nPss:   " + pssKibibytes + " kB\n");
    }

    @Test
    void packagesAndMemoryAreCountedAndCoresAreNotCountedTwice() throws IOException {
        zone("intel-rapl:0", "package-0", 100_000);
        zone("intel-rapl:0:0", "core", 50_000);
        zone("intel-rapl:0:1", "dram", 10_000);
        zone("intel-rapl:1", "package-1", 200_000);
        zone("intel-rapl:2", "psys", 900_000);
        zone("intel-rapl-mmio:0", "package-0", 100_000);
        MachineReader reader = reader();
        MachineUsage before = reader.read();

        zone("intel-rapl:0", "package-0", 400_000);
        zone("intel-rapl:0:0", "core", 950_000);
        zone("intel-rapl:0:1", "dram", 30_000);
        zone("intel-rapl:1", "package-1", 201_000);
        Energy taken = reader.read().since(before).energy();

        assertThat(taken)
                .isEqualTo(
                        new Energy(Map.of("package-0", 300_000L, "package-0 dram", 20_000L, "package-1", 1_000L), ""));
        assertThat(taken.joules()).isEqualTo(0.321);
    }

    @Test
    void aCounterThatWrapsAroundGoesOn() throws IOException {
        zone("intel-rapl:0", "package-0", 900_000);
        MachineReader reader = reader();

        zone("intel-rapl:0", "package-0", 100_000);
        reader.read();
        zone("intel-rapl:0", "package-0", 50_000);

        assertThat(reader.read().energy().joules()).isEqualTo(0.2 + 0.95);
    }

    @Test
    void aMachineWithoutPackagesTellsOfThePlatform() throws IOException {
        zone("intel-rapl:0", "psys", 5);
        MachineReader reader = reader();
        zone("intel-rapl:0", "psys", 2_000_005);

        assertThat(reader.read().energy().joules()).isEqualTo(2);
    }

    @Test
    void whatIsNotToldIsSaidToBeUnknown() throws IOException {
        assertThat(reader().read().energy().isKnown()).isFalse();
        assertThat(reader().read().energy().unknown())
                .isEqualTo("this machine has no " + powercap().resolve("intel-rapl:*"));

        zone("intel-rapl:0", "package-0", 5);
        write("powercap/intel-rapl:0/energy_uj", "much\n");

        assertThat(reader().read().energy().unknown()).endsWith("holds 'much', which is no count of microjoules");
    }

    @Test
    void aSumThatWouldLackATimeIsUnknownFromThenOn() throws IOException {
        zone("intel-rapl:0", "package-0", 5);
        MachineReader reader = reader();
        MachineUsage before = reader.read();
        Files.delete(powercap().resolve("intel-rapl:0/energy_uj"));
        reader.read();
        zone("intel-rapl:0", "package-0", 500);

        assertThat(reader.read().since(before).energy().isKnown()).isFalse();
    }

    @Test
    void processesAreAddedUpAndThoseThatEndedStillCount() throws IOException {
        process(7, 1_000, 500, 100);
        MachineReader reader = reader();
        MachineUsage before = reader.readNow();
        assertThat(before.group()).isEqualTo(new ProcessGroup(1, 102_400, 102_400, 0, 0, -1, -1));

        pids.add(8L);
        process(7, 1_500, 500, 100);
        process(8, 4_000, 70, 300);
        assertThat(reader.readNow().group()).isEqualTo(new ProcessGroup(2, 409_600, 409_600, 4_500, 70, -1, -1));

        pids.remove(8L);
        process(7, 2_000, 600, 50);
        assertThat(reader.readNow().since(before).group())
                .isEqualTo(new ProcessGroup(1, 51_200, 409_600, 5_000, 170, -1, -1));
    }

    @Test
    void processesAreNotLookedForAtEachSnapshot() throws IOException {
        process(7, 1_000, 500, 100);
        MachineReader reader = reader();
        reader.read();

        process(7, 9_000, 500, 100);

        assertThat(reader.read().group().diskReadBytes()).isZero();
        assertThat(reader.readNow().group().diskReadBytes()).isEqualTo(8_000);
    }

    @Test
    void theNetworkIsThatOfAllInterfacesButTheLoopback() throws IOException {
        write("proc/self/net/dev", """
                Inter-|   Receive                                                |  Transmit
                 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop
                    lo:  700       1    0    0    0     0          0         0      700       1    0    0
                  eth0: 1000      10    0    0    0     0          0         0      200       5    0    0
                  eth1:   30       1    0    0    0     0          0         0        4       1    0    0
                """);

        assertThat(reader().read().group().receivedBytes()).isEqualTo(1_030);
        assertThat(reader().read().group().sentBytes()).isEqualTo(204);
    }

    @Test
    void thisMachineCanBeRead() {
        MachineReader reader = MachineReader.ofThisMachine();

        MachineUsage now = reader.readNow();

        assertThat(now.group().processes()).isPositive();
        assertThat(now.energy().isKnown()).isEqualTo(!now.energy().microjoules().isEmpty());
    }
}
