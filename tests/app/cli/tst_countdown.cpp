// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/countdown.h"

#include <QTest>

#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace diskwright;

namespace {

/// Both ends of a terminal.
struct Terminal {
    Terminal()
        : person(::posix_openpt(O_RDWR | O_NOCTTY))
    {
        if (person < 0 || ::grantpt(person) != 0 || ::unlockpt(person) != 0)
            qFatal("no terminal");
        program = ::open(::ptsname(person), O_RDWR | O_NOCTTY);
        if (program < 0)
            qFatal("no terminal");
    }
    ~Terminal()
    {
        ::close(program);
        ::close(person);
    }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    void type(const QByteArray &text) const
    {
        if (::write(person, text.constData(), static_cast<std::size_t>(text.size())) != text.size())
            qFatal("can't type");
        // The other end sees it a moment later.
        pollfd input{program, POLLIN, 0};
        if (::poll(&input, 1, 10000) != 1)
            qFatal("nothing arrives");
    }
    [[nodiscard]] bool hasInput() const
    {
        pollfd input{program, POLLIN, 0};
        return ::poll(&input, 1, 0) == 1;
    }
    int person;
    int program = -1;
};

} // namespace

class CountdownTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWholeWordsAnswer()
    {
        for (const char *yes : {"y\n", "Y\n", "yes\n", "YES", " y \n"})
            QVERIFY2(answerIn(yes) == TrialAnswer::Yes, yes);
        for (const char *more : {"m\n", "M"})
            QVERIFY2(answerIn(more) == TrialAnswer::More, more);
        for (const char *no :
             {"", "\n", "n\n", "no\n", "yellow\n", "yn\n", "y n\n", "make\n", "mm\n", "ye\n"})
            QVERIFY2(answerIn(no) == TrialAnswer::No, no);
    }
    void readsOneLineAndDropsTheRest()
    {
        const Terminal terminal;
        terminal.type("m\ny\n");
        QVERIFY(readAnswer(terminal.program) == TrialAnswer::More);
        QVERIFY(!terminal.hasInput());
        terminal.type("y\n");
        QVERIFY(readAnswer(terminal.program) == TrialAnswer::Yes);
    }
    /// Neither its beginning nor its end is an answer.
    void aLongLineIsNoAnswer()
    {
        const QByteArrayList lines{QByteArray(70, 'm') + "\n", "y" + QByteArray(63, ' ') + "y\n"};
        for (const QByteArray &line : lines) {
            const Terminal terminal;
            terminal.type(line);
            QVERIFY(readAnswer(terminal.program) == TrialAnswer::No);
            QVERIFY(!terminal.hasInput());
        }
    }
    void dropsWhatWasTypedBefore()
    {
        const Terminal terminal;
        terminal.type("y\n");
        dropTyped(terminal.program);
        QVERIFY(!terminal.hasInput());
    }
};

QTEST_APPLESS_MAIN(CountdownTest)
#include "tst_countdown.moc"
