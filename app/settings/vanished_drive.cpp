// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "vanishedfamilies.h"

#include <QtCore/qttranslation.h>

#include <array>

namespace diskwright {

namespace {

using Words = std::span<const std::string_view>;
template <std::size_t N>
using Names = std::array<std::string_view, N>;

constexpr Names<5> driveAamNames{"-M", "hdparm -M", "aam", "acoustic", "acoustic_management"};
constexpr Names<7> driveApmNames{
    "-B", "hdparm -B", "apm", "apm_battery", "DISK_APM_LEVEL_ON_AC", "DISK_APM_LEVEL_ON_BAT", "apm level"};
constexpr Names<7> driveBenchNames{"-t", "-T", "-tT", "-Tt", "hdparm -t", "hdparm -T", "hdparm -tT"};
constexpr Names<2> driveDefectsNames{"-D", "hdparm -D"};
constexpr Names<5> driveDmaNames{"-d", "hdparm -d", "using_dma", "dma", "udma"};
constexpr Names<4> driveHpaNames{"-N", "hdparm -N", "hpa", "host protected area"};
constexpr Names<6> driveIdentifyNames{"-i", "-I", "-g", "hdparm -i", "hdparm -I", "hdparm -g"};
constexpr Names<6> driveIdleNames{"-C", "-y", "-Y", "hdparm -C", "hdparm -y", "hdparm -Y"};
constexpr Names<5> driveIdle3Names{"-J", "hdparm -J", "wdidle3", "idle3", "idle3ctl"};
constexpr Names<5> driveIo32Names{"-c", "hdparm -c", "io_32bit", "io32_support", "32-bit io"};
constexpr Names<7> driveKeepNames{"-k",
                                  "-K",
                                  "hdparm -k",
                                  "hdparm -K",
                                  "keepsettings",
                                  "keep_settings_over_reset",
                                  "keep_features_over_reset"};
constexpr Names<5> driveLookaheadNames{"-A", "hdparm -A", "lookahead", "look-ahead", "read look-ahead"};
constexpr Names<5> driveMultcountNames{"-m", "hdparm -m", "multcount", "mult_sect_io", "multiple sector"};
constexpr Names<4> driveNowerrNames{"-n", "hdparm -n", "nowerr", "ignore_write_errors"};
constexpr Names<10> drivePioNames{
    "-p",    "-P",    "hdparm -p", "hdparm -P", "pio_mode", "chipset_pio_mode", "prefetch_sect",
    "bswap", "nice1", "slow"};
constexpr Names<4> drivePuisNames{"-s", "hdparm -s", "poweron_standby", "puis"};
constexpr Names<7> driveReadonlyNames{
    "-r", "hdparm -r", "--setro", "--setrw", "blockdev --setro", "blockdev --setrw", "read_only"};
constexpr Names<4> driveRereadNames{"-z", "hdparm -z", "--rereadpt", "blockdev --rereadpt"};
constexpr Names<2> driveSeagateNames{"-Z", "hdparm -Z"};
constexpr Names<8> driveStandbyNames{"-S",
                                     "hdparm -S",
                                     "standby timer",
                                     "spindown_time",
                                     "force_spindown_time",
                                     "DISK_SPINDOWN_TIMEOUT_ON_AC",
                                     "DISK_SPINDOWN_TIMEOUT_ON_BAT",
                                     "spindown"};
constexpr Names<4> driveUnmaskNames{"-u", "hdparm -u", "unmaskirq", "interrupt_unmask"};
constexpr Names<3> driveVerifyNames{"-R", "hdparm -R", "write_read_verify"};
constexpr Names<9> driveWriteCacheNames{"-W",
                                        "hdparm -W",
                                        "wcache",
                                        "sdparm --set=wce",
                                        "sdparm --clear=wce",
                                        "sdparm --set wce",
                                        "sdparm --clear wce",
                                        "wce",
                                        "drive write cache"};
constexpr Names<8> driveXfermodeNames{"-X",       "hdparm -X",     "transfer_mode", "xfer_mode",
                                      "xfermode", "current_speed", "init_speed",    "udma66"};
constexpr Names<9> linkAlpmNames{"link_power_management_policy",
                                 "alpm",
                                 "max_performance",
                                 "min_power",
                                 "medium_power",
                                 "med_power_with_dipm",
                                 "SATA_LINKPWR_ON_AC",
                                 "SATA_LINKPWR_ON_BAT",
                                 "ahci.mobile_lpm_policy"};
constexpr Names<4> linkLibataForceNames{"libata.force", "libata.force=noncq", "libata.dma", "noncq"};
constexpr Names<4> nvmeApstNames{"nvme_core.default_ps_max_latency_us", "default_ps_max_latency_us", "apst",
                                 "pm_qos_latency_tolerance_us"};
constexpr Names<3> nvmePollNames{"nvme.poll_queues", "poll_queues", "nvme.write_queues"};
constexpr Names<3> toolFstrimNames{"fstrim", "fstrim.timer", "trim"};
constexpr Names<4> toolIoniceNames{"ionice", "ionice -c3", "ionice -c2", "ioprio"};
constexpr Names<2> driveResetNames{"-w", "hdparm -w"};
constexpr Names<6> driveBusNames{"-b", "-x", "-U", "hdparm -b", "hdparm -x", "hdparm -U"};
constexpr Names<2> driveCdSpeedNames{"-E", "hdparm -E"};
constexpr Names<6> driveFlushNames{"-f",        "-F",          "hdparm -f",
                                   "hdparm -F", "--flushbufs", "blockdev --flushbufs"};
constexpr Names<3> driveDoorlockNames{"-L", "hdparm -L", "doorlock"};
constexpr Names<6> driveLongOptionsNames{"hdparm --security-erase",     "hdparm --fwdownload",
                                         "hdparm --trim-sector-ranges", "hdparm --make-bad-sector",
                                         "hdparm --dco-restore",        "hdparm --direct"};
constexpr Names<4> driveBlockSizeNames{"--setbsz", "--getbsz", "blockdev --setbsz", "blockdev --getbsz"};
constexpr Names<8> driveSizeNames{
    "--report",          "--getsize",          "--getsize64",          "--getsz",
    "blockdev --report", "blockdev --getsize", "blockdev --getsize64", "blockdev --getsz"};
constexpr Names<1> toolSdparmNames{"sdparm"};
constexpr Names<2> nvmeIoQueueDepthNames{"nvme.io_queue_depth", "io_queue_depth"};
constexpr Names<2> linkUsbQuirksNames{"usb-storage.quirks", "usb_storage.quirks"};
constexpr Names<2> linkLibataNoacpiNames{"libata.noacpi", "libata.noacpi=1"};

constexpr auto entries = std::to_array<VanishedSetting>({
    {.id = "drive/aam",
     .title = QT_TRANSLATE_NOOP("Vanished", "Acoustic management (AAM)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "hdparm -M: 128 made the drive quiet, 254 fast."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. Drives that still have it obey hdparm -M; "
         "the standard has dropped it, and most drives made since about 2010 lack it."),
     .setting = "",
     .names = Words(driveAamNames)},
    {.id = "drive/apm",
     .title = QT_TRANSLATE_NOOP("Vanished", "Power management of the drive (APM)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "hdparm -B: 1 to 127 allow the drive to stop, 128 to 254 don't, 255 switches it off."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. hdparm -B sets it until the drive is "
         "switched off; /etc/udisks2 or /etc/hdparm.conf can set it at every start. A low number parks "
         "heads often, which wears some drives."),
     .setting = "",
     .names = Words(driveApmNames)},
    {.id = "drive/bench",
     .title = QT_TRANSLATE_NOOP("Vanished", "Timing with hdparm -t and -T"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "hdparm -t read from the disk for three seconds, -T from memory."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "A measurement, not a setting: bench run device-read and bench run cached-read do the same, "
         "with rounds and an interval."),
     .setting = "",
     .names = Words(driveBenchNames)},
    {.id = "drive/block-size",
     .title = QT_TRANSLATE_NOOP("Vanished", "Block size of a device file (blockdev --setbsz)"),
     .fate = Fate::NoEffect,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "It set the size of the pieces in which the kernel caches the device file."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It holds only while blockdev itself has the device open, so nothing is left of it "
                     "afterwards. A file system sets its own size. The sectors of the disk are a fact."),
     .setting = "queue/logical_block_size",
     .names = Words(driveBlockSizeNames)},
    {.id = "drive/bus",
     .title = QT_TRANSLATE_NOOP("Vanished", "Ports of the old IDE drivers (hdparm -b, -x, -U)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished", "-b asked for or set the state of the bus, -x switched the port "
                                          "off to change the disk, and -U took the port out of the kernel."),
     .today = QT_TRANSLATE_NOOP("Vanished", "These were calls to the old IDE drivers, which were removed."),
     .setting = "",
     .names = Words(driveBusNames)},
    {.id = "drive/cd-speed",
     .title = QT_TRANSLATE_NOOP("Vanished", "Speed of a CD or DVD drive (hdparm -E)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It sets how fast the drive reads."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. hdparm -E or eject -x sets it."),
     .setting = "",
     .names = Words(driveCdSpeedNames)},
    {.id = "drive/defects",
     .title = QT_TRANSLATE_NOOP("Vanished", "Defect management of the drive (hdparm -D)"),
     .fate = Fate::NoEffect,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "-D1 let the drive replace sectors that went bad by spare ones, -D0 forbade it."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "The drive decides. The standard dropped the command long ago, and drives replace bad "
                     "sectors always."),
     .setting = "",
     .names = Words(driveDefectsNames)},
    {.id = "drive/dma",
     .title = QT_TRANSLATE_NOOP("Vanished", "DMA switch (hdparm -d)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "On the old IDE drivers -d1 turned DMA on; without it disks were several times slower."),
     .today = QT_TRANSLATE_NOOP("Vanished", "libata uses DMA unless the link falls back to PIO, and answers "
                                            "this call with \"inappropriate ioctl\". What was negotiated "
                                            "stands in the disk's dma_mode and xfer_mode."),
     .setting = "",
     .names = Words(driveDmaNames)},
    {.id = "drive/doorlock",
     .title = QT_TRANSLATE_NOOP("Vanished", "Door lock (hdparm -L)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "-L1 locks the door of a drive with removable media, -L0 unlocks it."),
     .today = QT_TRANSLATE_NOOP("Vanished", "An action, not a setting: hdparm does it."),
     .setting = "",
     .names = Words(driveDoorlockNames)},
    {.id = "drive/flush",
     .title = QT_TRANSLATE_NOOP("Vanished", "Flush of a disk (hdparm -f, -F, blockdev --flushbufs)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "-f and --flushbufs write out what memory holds of the disk, -F "
                                          "makes the drive empty its write cache."),
     .today = QT_TRANSLATE_NOOP("Vanished", "Actions, not settings: hdparm and blockdev do them. How old "
                                            "unwritten data may grow in memory is a setting."),
     .setting = "vm/dirty_expire_centisecs",
     .names = Words(driveFlushNames)},
    {.id = "drive/hpa",
     .title = QT_TRANSLATE_NOOP("Vanished", "Hidden end of the drive (hdparm -N)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "-N sets how many sectors the drive admits to have."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is a setting of the drive itself, not of the kernel. A wrong number makes data "
                     "unreachable; Diskwright never sends it."),
     .setting = "",
     .names = Words(driveHpaNames)},
    {.id = "drive/identify",
     .title = QT_TRANSLATE_NOOP("Vanished", "What the drive says of itself (hdparm -i, -I, -g)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "They print what the drive reports about itself."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "Facts, not settings: diskwrightctl disks shows what the kernel knows without waking the "
         "drive."),
     .setting = "",
     .names = Words(driveIdentifyNames)},
    {.id = "drive/idle",
     .title = QT_TRANSLATE_NOOP("Vanished", "Power state commands (hdparm -C, -y, -Y)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "They ask for the power state, or send the drive to standby or sleep at once."),
     .today = QT_TRANSLATE_NOOP("Vanished", "They are actions, not settings; hdparm does them."),
     .setting = "",
     .names = Words(driveIdleNames)},
    {.id = "drive/idle3",
     .title = QT_TRANSLATE_NOOP("Vanished", "Parking timer of Western Digital drives (idle3)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "hdparm -J or wdidle3 set after how long a WD drive parks its heads."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. Only the maker's command reaches it, "
         "and it counts from the next power-on. Diskwright never sends it."),
     .setting = "",
     .names = Words(driveIdle3Names)},
    {.id = "drive/io32",
     .title = QT_TRANSLATE_NOOP("Vanished", "32-bit transfers (hdparm -c)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "-c1 or -c3 let the processor copy 32 bits at a time to the old IDE controllers."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "Disks move data by DMA, so the width of such copies does not matter; SATA controllers refuse "
         "the call."),
     .setting = "",
     .names = Words(driveIo32Names)},
    {.id = "drive/keep",
     .title = QT_TRANSLATE_NOOP("Vanished", "Keep settings over reset (hdparm -k, -K)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "-k1 told the old IDE driver to keep its settings when it reset the drive, -K1 told the "
                     "drive."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "The driver settings it kept are gone. After a reset the kernel negotiates anew."),
     .setting = "",
     .names = Words(driveKeepNames)},
    {.id = "drive/long-options",
     .title = QT_TRANSLATE_NOOP("Vanished", "Long options of hdparm (--security-erase, --fwdownload …)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "They ask the drive for facts, or order it to erase, lock, trim, test or update itself."),
     .today = QT_TRANSLATE_NOOP("Vanished",
                                "Questions and orders to the drive itself, not settings of the kernel: "
                                "hdparm sends them. Several destroy data, and Diskwright never sends any."),
     .setting = "",
     .names = Words(driveLongOptionsNames)},
    {.id = "drive/lookahead",
     .title = QT_TRANSLATE_NOOP("Vanished", "Read look-ahead of the drive"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "hdparm -A: whether the drive itself reads on into its own cache."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. It is on from the factory and should "
         "stay so. It is not the read-ahead of the kernel."),
     .setting = "",
     .names = Words(driveLookaheadNames)},
    {.id = "drive/multcount",
     .title = QT_TRANSLATE_NOOP("Vanished", "Sectors an interrupt (hdparm -m, multcount)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "-m16 let the drive send 16 sectors for each interrupt in PIO mode."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It only counts in PIO mode; with DMA and NCQ it has no effect at all. libata refuses the old "
         "call, and forcing it through can hang the drive."),
     .setting = "",
     .names = Words(driveMultcountNames)},
    {.id = "drive/nowerr",
     .title = QT_TRANSLATE_NOOP("Vanished", "Ignore write errors (hdparm -n)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "-n1 made the old IDE driver ignore the write error bit of some broken drives."),
     .today = QT_TRANSLATE_NOOP("Vanished", "libata has nothing of the kind, and nobody should want it."),
     .setting = "",
     .names = Words(driveNowerrNames)},
    {.id = "drive/pio",
     .title = QT_TRANSLATE_NOOP("Vanished", "PIO mode and chipset tuning (hdparm -p, -P)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "-p set the PIO mode of the IDE controller, -P the prefetch of the drive."),
     .today = QT_TRANSLATE_NOOP("Vanished", "libata negotiates the fastest mode by itself."),
     .setting = "",
     .names = Words(drivePioNames)},
    {.id = "drive/puis",
     .title = QT_TRANSLATE_NOOP("Vanished", "Power-up in standby (hdparm -s)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "The drive stays still at power-on until it is told to turn."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. Some firmware then no longer finds "
         "the drive, so Diskwright never sends it."),
     .setting = "",
     .names = Words(drivePuisNames)},
    {.id = "drive/readonly",
     .title = QT_TRANSLATE_NOOP("Vanished", "Read-only switch (hdparm -r, blockdev --setro)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It forbids writes to the device until restart."),
     .today = QT_TRANSLATE_NOOP("Vanished",
                                "It is a lock, not a tuning setting: blockdev --setro or --setrw switch it."),
     .setting = "",
     .names = Words(driveReadonlyNames)},
    {.id = "drive/reread",
     .title = QT_TRANSLATE_NOOP("Vanished", "Read the partition table again (hdparm -z)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It makes the kernel read the partition table of the disk anew."),
     .today =
         QT_TRANSLATE_NOOP("Vanished", "An action, not a setting: hdparm -z or blockdev --rereadpt does it."),
     .setting = "",
     .names = Words(driveRereadNames)},
    {.id = "drive/reset",
     .title = QT_TRANSLATE_NOOP("Vanished", "Reset of the drive (hdparm -w)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It resets the drive."),
     .today = QT_TRANSLATE_NOOP("Vanished", "An action, not a setting, and a dangerous one while the disk is "
                                            "in use. hdparm does it; Diskwright never sends it."),
     .setting = "",
     .names = Words(driveResetNames)},
    {.id = "drive/seagate",
     .title = QT_TRANSLATE_NOOP("Vanished", "Power saving of Seagate drives (hdparm -Z)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "It turned off the power saving of certain Seagate drives, so that they kept turning."),
     .today = QT_TRANSLATE_NOOP("Vanished",
                                "It is a command for the drive itself, not for the kernel, and only those "
                                "drives know it. Diskwright never sends it."),
     .setting = "",
     .names = Words(driveSeagateNames)},
    {.id = "drive/size",
     .title = QT_TRANSLATE_NOOP("Vanished", "Size of a disk (blockdev --getsize64, --report)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "They print the size of disks and other facts."),
     .today = QT_TRANSLATE_NOOP("Vanished", "Facts, not settings: diskwrightctl disks prints the size, "
                                            "diskwrightctl show the sectors and the read-ahead."),
     .setting = "",
     .names = Words(driveSizeNames)},
    {.id = "drive/standby",
     .title = QT_TRANSLATE_NOOP("Vanished", "Standby timer of the drive"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "hdparm -S: after how long without work the drive stops turning (1 to 240 times 5 s, 241 to "
         "251 half hours)."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. hdparm -S sets it until the drive is "
         "switched off; it can't be read back. A short time costs seconds of waiting and wear at each "
         "start."),
     .setting = "",
     .names = Words(driveStandbyNames)},
    {.id = "drive/unmask",
     .title = QT_TRANSLATE_NOOP("Vanished", "Unmask interrupts (hdparm -u)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP("Vanished", "-u1 let other interrupts in while the old IDE driver served one."),
     .today = QT_TRANSLATE_NOOP("Vanished", "libata never blocks them that long; the call is refused."),
     .setting = "",
     .names = Words(driveUnmaskNames)},
    {.id = "drive/verify",
     .title = QT_TRANSLATE_NOOP("Vanished", "Read after each write (hdparm -R)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "Write-read-verify makes the drive read back what it wrote."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. Few drives have it; it halves the "
         "speed of writing and more."),
     .setting = "",
     .names = Words(driveVerifyNames)},
    {.id = "drive/write_cache",
     .title = QT_TRANSLATE_NOOP("Vanished", "Write cache of the drive"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "hdparm -W: whether the drive may answer before data is on the medium."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a setting of the drive itself, not of the kernel. hdparm -W0 turns it off: safe, and "
         "much slower on rotating disks. The kernel notices and the row write_cache of the queue shows "
         "it. That row only tells what the kernel believes and is never written."),
     .setting = "queue/write_cache",
     .names = Words(driveWriteCacheNames)},
    {.id = "drive/xfermode",
     .title = QT_TRANSLATE_NOOP("Vanished", "Transfer mode (hdparm -X)"),
     .fate = Fate::NoEffect,
     .since = "5.14",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "-X66 (UDMA mode 2) and the like forced the mode between IDE controller and drive."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "libata negotiates it; the link speed of SATA has no such mode. Only libata.force= at boot "
         "can lower it, for broken cables. A wrong mode hangs the drive."),
     .setting = "",
     .names = Words(driveXfermodeNames)},
    {.id = "link/alpm",
     .title = QT_TRANSLATE_NOOP("Vanished", "SATA link power management"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "link_power_management_policy of the host: max_performance, med_power_with_dipm, min_power."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It belongs to the SATA host, not to a queue. min_power has lost data on some drives; "
                     "max_performance removes milliseconds of waking."),
     .setting = "",
     .names = Words(linkAlpmNames)},
    {.id = "link/libata-force",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameter libata.force"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "It forces speed or features of a SATA port at boot (1.5Gbps, noncq, pio4)."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It still works, at boot only, and is meant for hardware that fails otherwise. NCQ alone is "
         "turned off by a depth of 1."),
     .setting = "queue/queue_depth",
     .names = Words(linkLibataForceNames)},
    {.id = "link/libata-noacpi",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameter libata.noacpi"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "It keeps libata from using what the firmware (ACPI) says of disks, at suspend and resume."),
     .today =
         QT_TRANSLATE_NOOP("Vanished", "It still works, at boot only, and is meant for firmware that fails."),
     .setting = "",
     .names = Words(linkLibataNoacpiNames)},
    {.id = "link/usb-quirks",
     .title = QT_TRANSLATE_NOOP("Vanished", "Boot parameter usb-storage.quirks"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "It works around faults of single USB bridges, which it names by their numbers; u turns UAS off."),
     .today = QT_TRANSLATE_NOOP("Vanished", "It still works, at boot or when the module is loaded. Without "
                                            "UAS a disk takes one request at a time."),
     .setting = "",
     .names = Words(linkUsbQuirksNames)},
    {.id = "nvme/apst",
     .title = QT_TRANSLATE_NOOP("Vanished", "Power saving states of NVMe (APST)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "nvme_core.default_ps_max_latency_us: how long waking may take; 0 turns the saving states "
         "off."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is a parameter of the module at boot; per disk it is pm_qos_latency_tolerance_us. 0 is "
         "the known cure for NVMe disks that vanish."),
     .setting = "",
     .names = Words(nvmeApstNames)},
    {.id = "nvme/io_queue_depth",
     .title = QT_TRANSLATE_NOOP("Vanished", "Depth of NVMe queues (io_queue_depth)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "nvme.io_queue_depth: how many requests each queue of an NVMe disk holds."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is a parameter of the module at load time. NVMe disks have no queue_depth of their "
                     "own; how many requests may wait for them is nr_requests."),
     .setting = "queue/nr_requests",
     .names = Words(nvmeIoQueueDepthNames)},
    {.id = "nvme/poll",
     .title = QT_TRANSLATE_NOOP("Vanished", "Polling of NVMe (poll_queues)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "nvme.poll_queues makes queues that are asked instead of interrupting."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "A parameter of the module at load time. Without it, io_poll of the queue can't be turned on."),
     .setting = "queue/io_poll",
     .names = Words(nvmePollNames)},
    {.id = "tool/fstrim",
     .title = QT_TRANSLATE_NOOP("Vanished", "fstrim"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It tells the disk at once which space is free."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "An action; the timer fstrim.timer does it weekly. How much goes in one request is the "
                     "largest trim."),
     .setting = "queue/discard_max_bytes",
     .names = Words(toolFstrimNames)},
    {.id = "tool/ionice",
     .title = QT_TRANSLATE_NOOP("Vanished", "ionice"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It sets the priority of one program for the disk."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It still does, program by program; bfq follows it, and mq-deadline by class."),
     .setting = "",
     .names = Words(toolIoniceNames)},
    {.id = "tool/sdparm",
     .title = QT_TRANSLATE_NOOP("Vanished", "sdparm"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "It reads and changes the mode pages of SCSI and SATA drives."),
     .today = QT_TRANSLATE_NOOP("Vanished", "It still does. They are settings of the drive itself, not of "
                                            "the kernel; Diskwright never sends them."),
     .setting = "",
     .names = Words(toolSdparmNames)},
});

} // namespace

std::span<const VanishedSetting> vanishedOfDrive() noexcept
{
    return entries;
}

} // namespace diskwright
