// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jsonwriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QTest>

#include <clocale>
#include <limits>

using namespace diskwright;
using namespace Qt::StringLiterals;

namespace {

QJsonDocument parse(JsonWriter &&json)
{
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(std::move(json).take()), &error);
    return error.error == QJsonParseError::NoError ? document : QJsonDocument();
}

} // namespace

class TestJsonWriter : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void writesEveryKind()
    {
        JsonWriter json;
        json.beginObject();
        json.member("text", "a");
        json.member("string", std::string("b"));
        json.member("number", std::uint64_t{18446744073709551615u});
        json.member("negative", -5);
        json.member("yes", true);
        json.member("real", 0.5);
        json.member("none", std::optional<std::string>());
        json.member("some", std::optional<bool>(false));
        json.member("list", std::vector<std::string>{"x", "y"});
        json.key("empty");
        json.beginArray();
        json.endArray();
        json.key("inner");
        json.beginObject();
        json.endObject();
        json.endObject();
        QCOMPARE(
            std::move(json).take(),
            std::string("{\n  \"text\": \"a\",\n  \"string\": \"b\",\n  \"number\": 18446744073709551615,\n"
                        "  \"negative\": -5,\n  \"yes\": true,\n  \"real\": 0.5,\n  \"none\": null,\n"
                        "  \"some\": false,\n  \"list\": [\n    \"x\",\n    \"y\"\n  ],\n  \"empty\": [],\n"
                        "  \"inner\": {}\n}\n"));
    }
    void writesTextsThatOthersRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("read");
        QTest::newRow("quotes") << QByteArray("a\"b\\c") << QStringLiteral("a\"b\\c");
        QTest::newRow("controls") << QByteArray("\n\t\x01\x7f") << QStringLiteral("\n\t\u0001\u007f");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QString(QChar(u'a')) + QChar(u'\0') + QChar(u'b');
        QTest::newRow("umlaut") << QByteArray("\xC3\xA4") << QStringLiteral("\u00e4");
        QTest::newRow("emoji") << QByteArray("\xF0\x9F\x92\xBE") << QString::fromUtf8("\xF0\x9F\x92\xBE");
        QTest::newRow("C1 control") << QByteArray("\xC2\x9B") << QString(QChar(0x9B));
        QTest::newRow("turning") << QByteArray("\xE2\x80\xAEx\xE2\x81\xA6")
                                 << QString(QChar(0x202E)) + QChar(u'x') + QChar(0x2066);
        QTest::newRow("not UTF-8") << QByteArray("a\xFF"
                                                 "b\xE2\x82")
                                   << QStringLiteral("a\uFFFDb\uFFFD\uFFFD");
        QTest::newRow("empty") << QByteArray() << QString();
    }
    void writesTextsThatOthersRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, read);
        JsonWriter json;
        json.beginArray();
        json.text(text.toStdString());
        json.endArray();
        QCOMPARE(parse(std::move(json)).array().at(0).toString(), read);
    }
    void controlsAndTurningMarksAreEscaped()
    {
        JsonWriter json;
        json.beginArray();
        json.text("\x1B\xC2\x9B\xD8\x9C\xE2\x80\xAE\xE2\x81\xA9");
        json.endArray();
        QVERIFY(QByteArray::fromStdString(std::move(json).take())
                    .contains(R"("\u001b\u009b\u061c\u202e\u2069")"));
    }
    void numbersIgnoreTheLocale()
    {
        for (const char *locale : {"de_DE.UTF-8", "C.UTF-8"}) {
            std::setlocale(LC_ALL, locale);
            JsonWriter json;
            json.beginArray();
            json.real(1234567.5);
            json.real(std::numeric_limits<double>::quiet_NaN());
            json.real(std::numeric_limits<double>::infinity());
            json.endArray();
            QCOMPARE(std::move(json).take(), std::string("[\n  1234567.5,\n  null,\n  null\n]\n"));
        }
    }
};

QTEST_APPLESS_MAIN(TestJsonWriter)
#include "tst_jsonwriter.moc"
