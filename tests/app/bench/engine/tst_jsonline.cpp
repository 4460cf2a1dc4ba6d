// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/engine/jsonline.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace diskwright::engine;

class JsonLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsFlatObjects()
    {
        const auto line =
            JsonLine::parse(" {\"request\":\"run\", \"depth\":32,\"direct\":true,\"warm\":false,"
                            "\"path\":\"/a \\\"b\\\"\\\\ä\\u00fc\\ud83d\\ude00\"} ");
        QVERIFY(line.has_value());
        QCOMPARE(line->text("request"), std::string("run"));
        QCOMPARE(line->number("depth"), 32);
        QCOMPARE(line->boolean("direct"), true);
        QCOMPARE(line->boolean("warm"), false);
        QCOMPARE(line->text("path"), std::string("/a \"b\"\\äü😀"));
        QVERIFY(!line->number("request") && !line->text("depth") && !line->text("none"));
        QVERIFY(JsonLine::parse("{}").has_value());
    }

    void refusesEverythingElse_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"",
                                 "[]",
                                 "{",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{\"a\":1.5}",
                                 "{\"a\":1e3}",
                                 "{\"a\":null}",
                                 "{\"a\":{}}",
                                 "{\"a\":[1]}",
                                 "{\"a\":1}{",
                                 "{\"a\":1,\"a\":2}",
                                 "{\"a\":\"\\x\"}",
                                 "{\"a\":\"\\u12\"}",
                                 "{\"a\":\"\\ud800\"}",
                                 "{\"a\":\"\\udc00\"}",
                                 "{\"a\":\"\n\"}",
                                 "{\"a\":99999999999999999999}",
                                 "{a:1}",
                                 "{\"a\":\"",
                                 "{\"a\":tru}"})
            QTest::newRow(text) << QByteArray(text);
    }
    void refusesEverythingElse()
    {
        QFETCH(QByteArray, text);
        const auto line = JsonLine::parse(text.toStdString());
        QVERIFY(!line.has_value());
        QCOMPARE(line.error().code, diskwright::Errc::Malformed);
        QVERIFY(!line.error().reason.empty() && !line.error().accepted.empty());
    }

    void writesWhatAnyReaderReads()
    {
        const std::string text = JsonWriter("slot")
                                     .text("t", "a\"b\\c\nd\x01")
                                     .number("n", 18446744073709551615u)
                                     .number("none", std::nullopt)
                                     .fraction("f", 0.25)
                                     .boolean("b", true)
                                     .texts("l", {"x", "y"})
                                     .line();
        QVERIFY(text.ends_with('\n') && text.find('\n') == text.size() - 1);
        const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(object[u"event"].toString(), QStringLiteral("slot"));
        QCOMPARE(object[u"t"].toString(), QStringLiteral("a\"b\\c\nd\u0001"));
        QVERIFY(object[u"none"].isNull());
        QCOMPARE(object[u"f"].toDouble(), 0.25);
        QCOMPARE(object[u"b"].toBool(), true);
        QCOMPARE(object[u"l"][1].toString(), QStringLiteral("y"));
    }
};

QTEST_APPLESS_MAIN(JsonLineTest)
#include "tst_jsonline.moc"
