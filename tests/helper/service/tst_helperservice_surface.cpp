// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "helper/service/audit.h"
#include "helper/service/helperservice.h"

#include <QFile>
#include <QMetaMethod>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

// action -> "any inactive active" of the policy file.
QMap<QString, QString> policy()
{
    QFile file(QStringLiteral(DISKWRIGHT_SOURCE_DIR "/polkit/org.diskwright.helper.policy"));
    if (!file.open(QFile::ReadOnly))
        qFatal("no policy");
    QXmlStreamReader xml(&file);
    QMap<QString, QString> actions;
    QString action;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == u"action")
            action = xml.attributes().value(u"id").toString();
        else if (xml.name().startsWith(u"allow_"))
            actions[action] += xml.readElementText() + u' ';
        else if (xml.name() == u"annotate")
            actions[action] += u"annotated "_s;
    }
    if (xml.hasError())
        qFatal("%s", qPrintable(xml.errorString()));
    return actions;
}

} // namespace

class TestSurface : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePolicyIsAsDesigned()
    {
        const QMap<QString, QString> wanted{{u"org.diskwright.helper.tune"_s, u"no no auth_admin_keep "_s},
                                            {u"org.diskwright.helper.persist"_s, u"no no auth_admin "_s},
                                            {u"org.diskwright.helper.plan"_s, u"no no auth_admin "_s},
                                            {u"org.diskwright.helper.settle"_s, u"no no yes "_s}};
        QCOMPARE(policy(), wanted);
    }

    // Every method with this signature can be called from outside, at whatever access level.
    void slotsAreTheActionsOfThePolicy()
    {
        QSet<QString> callable;
        const QMetaObject &meta = HelperService::staticMetaObject;
        for (int at = 0; at < meta.methodCount(); ++at) {
            const QMetaMethod method = meta.method(at);
            if (method.parameterCount() == 1 &&
                method.parameterMetaType(0) == QMetaType::fromType<QVariantMap>())
                callable.insert(u"org.diskwright.helper."_s + QString::fromLatin1(method.name()));
        }
        const QStringList actions = policy().keys();
        QCOMPARE(callable, QSet<QString>(actions.begin(), actions.end()));
    }

    void auditLinesAreOneLineOfPrintableAscii()
    {
        ApplyRequest apply;
        apply.devices = {{"sda\n\x1b[?1047h", 8, 0, 1, 2}};
        apply.changes = {{0, "queue/\r\u202e", number(1), number(2)}};
        Report report;
        report.outcome = Outcome::Refused;
        report.why = Errc::UnknownSetting;
        report.steps.resize(1);
        const Caller caller{
            .uid = 1000, .action = Action::Tune, .cancel = -1, .mayChange = {}, .mayKeep = {}};
        const std::string line = auditLine({TransactionId{1}, apply}, caller, report);
        for (const char character : line)
            QVERIFY(character >= 0x20 && character < 0x7f);
        QVERIFY(
            line.starts_with("uid=1000 action=tune id=01000000000000000000000000000000 apply outcome=refused "
                             "why=unknown-setting [0 sda\\x0a\\x1b[?1047h queue/"));
    }
};

QTEST_APPLESS_MAIN(TestSurface)

#include "tst_helperservice_surface.moc"
