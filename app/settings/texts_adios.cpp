// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "textfamilies.h"

#include <QtCore/qttranslation.h>

#include <array>

namespace diskwright {

namespace {

using Words = std::span<const std::string_view>;
template <std::size_t N>
using Names = std::array<std::string_view, N>;

constexpr Names<2> batchDiscard{"batch_limit_discard", "adios/batch_limit_discard"};
constexpr Names<2> batchRead{"batch_limit_read", "adios/batch_limit_read"};
constexpr Names<2> batchWrite{"batch_limit_write", "adios/batch_limit_write"};
constexpr Names<2> batchOrder{"batch_order", "adios/batch_order"};
constexpr Names<2> refill{"bq_refill_below_ratio", "adios/bq_refill_below_ratio"};
constexpr Names<2> compliance{"compliance_flags", "adios/compliance_flags"};
constexpr Names<2> window{"global_latency_window", "adios/global_latency_window"};
constexpr Names<2> targetDiscard{"lat_target_discard", "adios/lat_target_discard"};
constexpr Names<2> targetRead{"lat_target_read", "adios/lat_target_read"};
constexpr Names<2> targetWrite{"lat_target_write", "adios/lat_target_write"};
constexpr Names<2> modelLimit{"lat_model_latency_limit", "adios/lat_model_latency_limit"};
constexpr Names<2> readPriority{"read_priority", "adios/read_priority"};
constexpr Names<2> shrinkGbytes{"shrink_at_gbytes", "adios/shrink_at_gbytes"};
constexpr Names<2> shrinkKreqs{"shrink_at_kreqs", "adios/shrink_at_kreqs"};
constexpr Names<2> shrinkResist{"shrink_resist", "adios/shrink_resist"};

// adios is not part of the official kernel, which therefore has no document for it.
constexpr std::string_view adiosDocument = "https://github.com/firelzrd/adios";

constexpr auto texts = std::to_array<SettingText>({
    {.id = "iosched/adios/batch_limit_discard",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: trims a batch"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How many trims may go out in one batch."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The usual 1 keeps trims, which can occupy a disk for long, from delaying reads; watch read latency "
         "while fstrim runs. More let trimming finish sooner at exactly that price."),
     .document = adiosDocument,
     .aliases = Words(batchDiscard),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/batch_limit_read",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: reads a batch"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How many reads may go out in one batch."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Larger batches give the disk more to order by itself and raise read throughput at great depth. "
         "Smaller ones let a single urgent read come sooner, seen as the 99th percentile beside a busy "
         "reader; the cost is that throughput."),
     .document = adiosDocument,
     .aliases = Words(batchRead),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/batch_limit_write",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: writes a batch"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "How many writes may go out in one batch."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Once a batch of writes is on its way, reads wait for it. Fewer: lower read latency during copies. "
         "More: the copy is faster. The write storm shows both sides."),
     .document = adiosDocument,
     .aliases = Words(batchWrite),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/batch_order",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: order within a batch"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "0: by deadline. 1: by place on the disk, for rotating disks only."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "By place the head moves less, seen as throughput of random access on a rotating disk. The cost is "
         "that the most urgent request is not first. Solid state disks have no use for it and the scheduler "
         "refuses it there."),
     .document = adiosDocument,
     .aliases = Words(batchOrder),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/bq_refill_below_ratio",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: refill when this much is left"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "At which share of the latency window in flight the next batch is prepared."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Lower: the disk is nearly idle before more is sent, so newcomers are considered sooner and latency "
         "falls. Higher: the disk never runs dry, seen as throughput at great depth. The two must be weighed "
         "on the disk itself."),
     .document = adiosDocument,
     .aliases = Words(refill),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/compliance_flags",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: keep strictly to the rules"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "Whether order matters more than the scheduler's own plan: 0 or 1."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "0 lets the latency targets rule alone, as adios is meant to work. 1 makes it keep to an order that "
         "others expect of a scheduler. It is for trying whether a problem comes from that freedom; compare "
         "latency and throughput of a mixed test with both. The price of 1 is some of either."),
     .document = adiosDocument,
     .aliases = Words(compliance),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/global_latency_window",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: work in the disk at once"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How much predicted time of work the disk may hold, in nanoseconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "adios predicts how long each request takes and stops sending when the sum reaches this window. "
         "Larger: more throughput, most of all on rotating disks (72 to 96 ms are recommended there). "
         "Smaller: a new read finds less before it, seen as latency under load."),
     .document = adiosDocument,
     .aliases = Words(window),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/lat_model_latency_limit",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: longest time it learns from"),
     .summary = QT_TRANSLATE_NOOP(
         "SettingText", "Requests that took longer are left out of the prediction, in nanoseconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "A spin-up or an error would otherwise spoil the prediction for minutes. Lower ignores more "
         "outliers and steadies latency; too low makes the model forget that the disk really is slow, which "
         "costs both latency and throughput on a busy rotating disk."),
     .document = adiosDocument,
     .aliases = Words(modelLimit),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/lat_target_discard",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: deadline of trims"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "By when a trim should be done, in nanoseconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Nobody waits for a trim, so the usual 8 seconds let everything else pass. Lower gets space back to "
         "the disk sooner, at the price of read latency while files are deleted in bulk."),
     .document = adiosDocument,
     .aliases = Words(targetDiscard),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/lat_target_read",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: deadline of reads"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "By when a read should be done, in nanoseconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "Requests are served in the order of their deadlines. A lower one puts reads ahead of everything "
         "else, seen as read latency during a write storm; the cost is borne by writes. Below the disk's "
         "own time for a read it changes nothing."),
     .document = adiosDocument,
     .aliases = Words(targetRead),
     .benchmark = "write-storm",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/lat_target_write",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: deadline of writes"),
     .summary = QT_TRANSLATE_NOOP("SettingText", "By when a write should be done, in nanoseconds."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The usual 2 seconds let reads pass. Lower: programs that wait for their writes wait less, which "
         "the fsync test shows, and reads are delayed by as much."),
     .document = adiosDocument,
     .aliases = Words(targetWrite),
     .benchmark = "fsync",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/read_priority",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: reads before writes"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "Weight of reads as with nice: -20 most, 0 equal, 19 least."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "It decides how often batches of reads are taken while writes wait. More weight for reads keeps a "
         "desktop responsive during a copy; compare read latency and copying speed in one mixed test. Much "
         "weight can hold writes back for seconds."),
     .document = adiosDocument,
     .aliases = Words(readPriority),
     .benchmark = "scheduler",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/shrink_at_gbytes",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: forget after gigabytes"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "After how many gigabytes old observations lose half their weight."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The prediction follows the disk as it changes: full caches, heat, its outer and inner tracks. "
         "Lower adapts sooner and is less steady; latency during a long copy shows it."),
     .document = adiosDocument,
     .aliases = Words(shrinkGbytes),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/shrink_at_kreqs",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: forget after requests"),
     .summary =
         QT_TRANSLATE_NOOP("SettingText", "After how many thousand requests old observations lose weight."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "The same forgetting, counted in requests instead of bytes, so it rules with small random access. "
         "Lower follows changes sooner, higher predicts more steadily; watch the spread of latency in a long "
         "random test."),
     .document = adiosDocument,
     .aliases = Words(shrinkKreqs),
     .benchmark = "",
     .since = "",
     .until = ""},
    {.id = "iosched/adios/shrink_resist",
     .title = QT_TRANSLATE_NOOP("SettingText", "adios: how much is remembered"),
     .summary = QT_TRANSLATE_NOOP("SettingText",
                                  "How much of the old observations stays when some are forgotten, 1 to 3."),
     .text = QT_TRANSLATE_NOOP(
         "SettingText",
         "A higher number keeps more: predictions change slowly, good for disks that behave the same all "
         "day. A lower one starts nearly afresh. A wrong prediction costs latency until it is corrected, "
         "which repeated short mixed tests show."),
     .document = adiosDocument,
     .aliases = Words(shrinkResist),
     .benchmark = "",
     .since = "",
     .until = ""},
});

} // namespace

std::span<const SettingText> adiosTexts() noexcept
{
    return texts;
}

} // namespace diskwright
