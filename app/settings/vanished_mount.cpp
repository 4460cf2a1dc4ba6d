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

constexpr Names<5> mountAtimeNames{"noatime", "relatime", "strictatime", "atime", "norelatime"};
constexpr Names<4> mountBarrierNames{"barrier", "nobarrier", "barrier=0", "barrier=1"};
constexpr Names<9> mountBtrfsNames{"compress",   "compress-force", "compress=zstd", "autodefrag", "ssd",
                                   "ssd_spread", "nodatacow",      "nodatasum",     "space_cache"};
constexpr Names<2> mountCommitNames{"commit", "commit="};
constexpr Names<6> mountDataNames{"data=",        "data=writeback",         "data=ordered",
                                  "data=journal", "journal_data_writeback", "rootflags=data=writeback"};
constexpr Names<4> mountDelallocNames{"nodelalloc", "delalloc", "noauto_da_alloc", "auto_da_alloc"};
constexpr Names<3> mountDiscardNames{"discard", "nodiscard", "discard=async"};
constexpr Names<5> mountExt4BatchNames{"max_batch_time", "min_batch_time", "journal_ioprio",
                                       "inode_readahead_blks", "stripe"};
constexpr Names<2> mountLazytimeNames{"lazytime", "nolazytime"};
constexpr Names<2> mountNodiratimeNames{"nodiratime", "diratime"};
constexpr Names<4> mountReiserfsNames{"notail", "reiserfs", "reiser4", "nolog"};
constexpr Names<4> mountSyncNames{"sync", "async", "dirsync", "flush"};
constexpr Names<3> mountXfsLogNames{"logbufs", "logbsize", "allocsize"};
constexpr Names<4> mountJournalChecksumNames{"journal_async_commit", "journal_checksum", "nojournal_checksum",
                                             "no_journal_checksum"};
constexpr Names<4> mountDataErrNames{"data_err", "data_err=", "data_err=abort", "data_err=ignore"};
constexpr Names<4> mountXfsPlaceNames{"inode64", "inode32", "largeio", "nolargeio"};
constexpr Names<6> mountXfsOldNames{"delaylog",     "nodelaylog",   "ihashsize",
                                    "osyncisdsync", "osyncisosync", "irixsgid"};
constexpr Names<4> mountExtOldNames{"nobh", "bh", "orlov", "oldalloc"};
constexpr Names<2> mountInodeCacheNames{"inode_cache", "noinode_cache"};

constexpr auto entries = std::to_array<VanishedSetting>({
    {.id = "mount/atime",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options noatime, relatime, strictatime"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "They decide how often reading a file updates its time of last access."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. relatime is the usual one: it writes at the "
         "first "
         "read after each change of the file, and at most once a day otherwise. noatime saves these "
         "writes too, and includes nodiratime."),
     .setting = "",
     .names = Words(mountAtimeNames)},
    {.id = "mount/barrier",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options barrier=0 and nobarrier"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "They stop the file system from flushing the drive's cache in time."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. It buys speed of fsync with the file "
         "system's life at a power cut. XFS has refused it since Linux 4.19; Diskwright does not offer "
         "it."),
     .setting = "",
     .names = Words(mountBarrierNames)},
    {.id = "mount/btrfs",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options of btrfs (compress, autodefrag, ssd …)"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "compress, autodefrag, ssd, nodatacow, space_cache and others shape how btrfs writes."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. They hold for the whole file system, and "
         "the first mount decides. The read-ahead of btrfs is its own, in /sys/class/bdi/btrfs-1."),
     .setting = "",
     .names = Words(mountBtrfsNames)},
    {.id = "mount/commit",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option commit"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "How many seconds ext4 (5) or btrfs (30) may wait between two commits of the journal."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. More saves writes and loses as many "
                     "seconds of work in a crash. The age of unwritten data is a setting of its own."),
     .setting = "vm/dirty_expire_centisecs",
     .names = Words(mountCommitNames)},
    {.id = "mount/data",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option data="),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "data=ordered, writeback or journal: what of a file ext4 sends through its journal."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. It can't be changed while mounted: for / "
         "it needs rootflags= or tune2fs -o and a restart. writeback can show old data in files after "
         "a crash."),
     .setting = "",
     .names = Words(mountDataNames)},
    {.id = "mount/data_err",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option data_err"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "data_err=abort: ext4 stops its journal when it can't write the "
                                          "data of a file; data_err=ignore: it goes on."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. It counts with data=ordered only."),
     .setting = "",
     .names = Words(mountDataErrNames)},
    {.id = "mount/delalloc",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options nodelalloc and noauto_da_alloc"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "They turn off parts of the way ext4 gathers writes before it chooses their place."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. nodelalloc is refused for a mounted file "
         "system; noauto_da_alloc can leave empty files after a crash."),
     .setting = "",
     .names = Words(mountDelallocNames)},
    {.id = "mount/discard",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option discard"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "The file system trims the disk at each deletion."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. On many disks the weekly fstrim.timer does "
         "the same without pauses in between."),
     .setting = "queue/discard_max_bytes",
     .names = Words(mountDiscardNames)},
    {.id = "mount/ext-old",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options nobh, orlov, oldalloc of ext3 and ext4"),
     .fate = Fate::NoEffect,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "nobh left out a layer of the cache; orlov and oldalloc chose how "
                                          "folders are spread over the disk."),
     .today =
         QT_TRANSLATE_NOOP("Vanished", "ext4, which also mounts ext3, takes these words and ignores them."),
     .setting = "",
     .names = Words(mountExtOldNames)},
    {.id = "mount/ext4-batch",
     .title =
         QT_TRANSLATE_NOOP("Vanished", "Mount options max_batch_time, journal_ioprio and others of ext4"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was =
         QT_TRANSLATE_NOOP("Vanished", "They tune how ext4 gathers commits and how urgent the journal is."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. They can be changed while mounted."),
     .setting = "",
     .names = Words(mountExt4BatchNames)},
    {.id = "mount/inode_cache",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option inode_cache of btrfs"),
     .fate = Fate::Gone,
     .since = "5.11",
     .was = QT_TRANSLATE_NOOP("Vanished", "It kept a list of free numbers of files, to use them again."),
     .today = QT_TRANSLATE_NOOP("Vanished", "btrfs no longer has it."),
     .setting = "",
     .names = Words(mountInodeCacheNames)},
    {.id = "mount/journal-checksum",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options journal_checksum and journal_async_commit"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "journal_checksum lets ext4 see damage in its journal; journal_async_commit "
                              "ends a commit without waiting for its first blocks."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. journal_async_commit turns the "
                     "checksum on with it, and ext4 refuses it together with data=ordered."),
     .setting = "",
     .names = Words(mountJournalChecksumNames)},
    {.id = "mount/lazytime",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option lazytime"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "Timestamps stay in memory until the file is written anyway or half a day has passed."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished",
         "It is an option of the mount, kept in /etc/fstab. How long they may stay is a setting of "
         "memory."),
     .setting = "vm/dirtytime_expire_seconds",
     .names = Words(mountLazytimeNames)},
    {.id = "mount/nodiratime",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount option nodiratime"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished", "Reading a folder does not update its time of access."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. noatime already includes it; beside "
                     "noatime it does nothing more."),
     .setting = "",
     .names = Words(mountNodiratimeNames)},
    {.id = "mount/reiserfs",
     .title = QT_TRANSLATE_NOOP("Vanished", "ReiserFS and its option notail"),
     .fate = Fate::Gone,
     .since = "6.13",
     .was = QT_TRANSLATE_NOOP("Vanished", "notail stopped ReiserFS from packing the ends of files together."),
     .today =
         QT_TRANSLATE_NOOP("Vanished", "ReiserFS was taken out of the kernel, and Reiser4 was never in it."),
     .setting = "",
     .names = Words(mountReiserfsNames)},
    {.id = "mount/sync",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options sync, async, dirsync, flush"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished", "sync writes everything before a program may go on; flush writes early, on FAT."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. sync is slow and wears flash memory. "
                     "Against the freeze while copying to a stick, limit the unwritten data of that disk."),
     .setting = "bdi/max_bytes",
     .names = Words(mountSyncNames)},
    {.id = "mount/xfs-log",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options logbufs, logbsize, allocsize of XFS"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP(
         "Vanished",
         "They size the journal's buffers in memory and the space reserved ahead of growing files."),
     .today = QT_TRANSLATE_NOOP(
         "Vanished", "It is an option of the mount, kept in /etc/fstab. A remount accepts them but "
                     "changes nothing; they need an unmount and a mount."),
     .setting = "",
     .names = Words(mountXfsLogNames)},
    {.id = "mount/xfs-old",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options delaylog, ihashsize, osyncisdsync of XFS"),
     .fate = Fate::Gone,
     .since = "4.0",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "delaylog gathered changes in memory before they went into the journal, "
                              "ihashsize was the size of a table, osyncisdsync made O_SYNC write less."),
     .today = QT_TRANSLATE_NOOP("Vanished", "XFS no longer knows the words. It always gathers changes as "
                                            "delaylog did; the others had done nothing for years."),
     .setting = "",
     .names = Words(mountXfsOldNames)},
    {.id = "mount/xfs-place",
     .title = QT_TRANSLATE_NOOP("Vanished", "Mount options inode64 and largeio of XFS"),
     .fate = Fate::Elsewhere,
     .since = "",
     .was = QT_TRANSLATE_NOOP("Vanished",
                              "inode64 lets XFS put the records of files anywhere on the disk; largeio makes "
                              "it tell programs a larger size for reading and writing."),
     .today = QT_TRANSLATE_NOOP("Vanished",
                                "It is an option of the mount, kept in /etc/fstab. inode64 is the default, "
                                "and a remount can change it; largeio needs an unmount and a mount."),
     .setting = "",
     .names = Words(mountXfsPlaceNames)},
});

} // namespace

std::span<const VanishedSetting> vanishedOfMount() noexcept
{
    return entries;
}

} // namespace diskwright
