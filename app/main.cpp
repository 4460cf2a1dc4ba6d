// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engineprocess.h"
#include "ui/frame/look.h"
#include "ui/frame/mainwindow.h"
#include "ui/frame/promptparent.h"
#include "ui/frame/style.h"
#include "ui/models/machine.h"
#include "ui/models/rootargument.h"
#include "ui/models/sessionapplier.h"

#include <BreezeIcons>

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLocale>
#include <QPointer>
#include <QStyleHints>
#include <QThread>
#include <QTranslator>

#include <cstdio>
#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace diskwright;

// Beside the program in a build folder, else where the package puts them.
static bool loadTranslation(QTranslator &translator, const QString &language)
{
    const QString here = QCoreApplication::applicationDirPath();
    const QString name = u"diskwright_"_s + language;
    const QStringList folders{qEnvironmentVariable("DISKWRIGHT_TRANSLATIONS"), here + u"/translations"_s,
                              here + u"/../share/diskwright/translations"_s};
    for (const QString &folder : folders) {
        if (!folder.isEmpty() && translator.load(name, folder))
            return true;
    }
    return false;
}

static void translate(const QString &asked)
{
    // English too has a translation: it holds the plural forms.
    auto *english = new QTranslator(qApp);
    if (loadTranslation(*english, u"en"_s))
        QCoreApplication::installTranslator(english);
    QStringList languages = asked.isEmpty() ? QLocale().uiLanguages() : QStringList{asked};
    if (asked == "xx"_L1)
        languages = QStringList{u"xx-pseudo"_s};
    for (QString language : languages) {
        if (language.startsWith("en"_L1))
            return;
        auto *translator = new QTranslator(qApp);
        if (loadTranslation(*translator, language.replace(u'-', u'_')) ||
            loadTranslation(*translator, language.replace(u'_', u'-'))) {
            QCoreApplication::installTranslator(translator);
            return;
        }
        delete translator;
    }
}

// What was meant can't be guessed: a machine that nobody named must not be opened in its place.
static QString refusal(const QCommandLineParser &parser, const QString &root, const QString &parsedRoot,
                       const QString &scheme)
{
    if (const QString why = ui::whyNotRoot(root, parsedRoot); !why.isEmpty())
        return why;
    if (const QStringList others = parser.positionalArguments(); !others.isEmpty())
        return u"%1: it belongs to no option. A folder is named as --root=FOLDER."_s.arg(others.first());
    if (!QStringList{u"light"_s, u"dark"_s, u"auto"_s}.contains(scheme))
        return u"--color-scheme: %1 is none. There are light, dark and auto."_s.arg(scheme);
    return {};
}

int main(int argc, char *argv[])
{
    // The machine is read while the window system is being connected to: by the time the window can be built,
    // its disks are known.
    QStringList arguments;
    for (int at = 1; at < argc; ++at)
        arguments << QString::fromLocal8Bit(argv[at]);
    const QString root = ui::rootOf(arguments);
    // The first thread that Qt meets becomes its main thread: let it be this one.
    static_cast<void>(QThread::currentThread());
    ui::ReadingWish wish;
    wish.targets.emplace_back();
    wish.allDisks = true;
    const auto firstReading = ui::ReadingJob::start(root, std::move(wish));

    QApplication app(argc, argv);
    QApplication::setApplicationName(u"diskwright"_s);
    QApplication::setApplicationDisplayName(u"Diskwright"_s);
    QApplication::setApplicationVersion(QStringLiteral(DISKWRIGHT_VERSION));
    QApplication::setDesktopFileName(u"org.diskwright.Diskwright"_s);

    QCommandLineParser parser;
    const QCommandLineOption rootOption(u"root"_s, u"Show the machine whose files lie in this folder."_s,
                                        u"folder"_s);
    const QCommandLineOption languageOption(u"language"_s, u"Show texts in this language."_s, u"code"_s);
    const QCommandLineOption schemeOption(u"color-scheme"_s, u"light, dark or auto."_s, u"scheme"_s,
                                          u"auto"_s);
    const QCommandLineOption pageOption(
        u"page"_s, u"Page to open: overview, a disk's name, memory, benchmarks or history."_s, u"page"_s);
    const QCommandLineOption allOption(u"all"_s, u"List loop devices and disks in memory too."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({rootOption, languageOption, schemeOption, pageOption, allOption});
    parser.process(app);
    const QString whyNot = refusal(parser, root, parser.isSet(rootOption) ? parser.value(rootOption) : u"/"_s,
                                   parser.value(schemeOption));
    if (!whyNot.isEmpty()) {
        static_cast<void>(std::fprintf(stderr, "diskwright: %s\n", qPrintable(whyNot)));
        static_cast<void>(firstReading->waitFor(ui::Machine::patience));
        return 2;
    }

    translate(parser.value(languageOption));
    const QString scheme = parser.value(schemeOption);
    if (scheme == "dark"_L1 || scheme == "light"_L1) {
        const auto wanted = scheme == "dark"_L1 ? Qt::ColorScheme::Dark : Qt::ColorScheme::Light;
        QGuiApplication::styleHints()->setColorScheme(wanted);
        // A desktop without a theme of its own knows one scheme only.
        if (wanted == Qt::ColorScheme::Dark && !ui::isDark(QApplication::palette()))
            QApplication::setPalette(ui::darkPalette());
    }
    BreezeIcons::initIcons();
    ui::useReadableStyle();
    ui::useTabularFigures();

    ui::Machine machine(root);
    machine.setListsAll(parser.isSet(allOption));
    // Nearly always there by now. A disk that hangs must not keep the window away.
    if (firstReading->waitFor(50ms))
        machine.take(firstReading->take());
    else
        machine.adopt(firstReading);
    StagedChanges staged;
    ui::StagedDisks stagedDisks(machine, staged);
    QPointer<QWidget> front;
    // The password agent puts its prompt above the dialog that asks, or else this window.
    ui::SessionApplier applier(root, ui::promptParent([&front]() -> QWindow * {
                                   const QWidget *asking = QApplication::activeWindow()
                                                               ? QApplication::activeWindow()
                                                               : front.data();
                                   return asking ? asking->windowHandle() : nullptr;
                               }));
    ui::MainWindow window(
        {machine, staged, stagedDisks, applier, [] { return std::make_unique<bench::EngineProcess>(); }, {}});
    front = &window;
    const QString page = parser.value(pageOption);
    window.go(page == "memory"_L1       ? ui::Place{ui::Place::Kind::Memory, {}}
              : page == "benchmarks"_L1 ? ui::Place{ui::Place::Kind::Benchmarks, {}}
              : page == "history"_L1    ? ui::Place{ui::Place::Kind::History, {}}
              : page.isEmpty() || page == "overview"_L1
                  ? ui::Place{ui::Place::Kind::Overview, {}}
                  : ui::Place{ui::Place::Kind::Disk, page.toStdString()});
    window.show();
    return QApplication::exec();
}
