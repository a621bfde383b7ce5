package dev.parlance.wire.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of pages. */
class PageTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          <p>liability</p>                                      | liability
          lia<b>bil</b>ity                                      | liability
          lia<!-- x -->bility                                   | liability
          lia<span title="a > b">bility</span>                  | liability
          open<br/>gap                                          | open gap
          <td>open</td><td>gap</td>                             | gap
          li&#97;bility                                         | liability
          li&#x61;bility                                        | liability
          a &lt;b&gt; &amp; c                                   | a <b> & c
          1 < 2                                                 | 1 < 2
          <a href="/x?liability=1">x</a>                        | liability
          <a title="li&#97;bility">x</a>                        | liability
          <!DOCTYPE html PUBLIC "-//IETF//DTD HTML 2.0//EN"><h1>x | x
          <h1 style="color: red">x</h1>                         | x
          <style>h1 {font-family:Tahoma;} b, p {margin:0}</style>x | x
          """)
  void wordsArePutTogetherAsTheyAreShown(String page, String expected) {
    assertThat(PageText.words(page).orElseThrow()).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>document.write('li' + 'ability')</script>",
        "<p onclick='x'>a",
        "lia<span hidden>x</span>bility",
        "lia<span style='display:none'>x</span>bility",
        "lia<template>x</template>bility",
        "<style>p::after { content: 'bility' }</style><p>lia</p>",
        "<style>@import url(x)</style>",
        "<style>p{color:red} .x{display:none}</style>",
        "<style>p{color:red;display:none}</style>",
        "<bdo dir=rtl>ytilibail</bdo>",
        "<p dir=rtl>ytilibail",
        "<link rel=stylesheet href=/x>",
        "<!--> liability <!-- -->",
        "<!-- x --!> lia<b>bility --></b>",
        "<p title=a\">lia<b title=\"b>bility",
        "<p",
        "<!-- open",
        "&fjlig;ord",
        "lia&shy;bility",
        "lia&copybility",
        "<?xml version='1.0'?><p>x",
        "<meta charset=utf-7>",
        "<meta http-equiv=content-type content='text/html; charset=iso-2022-jp'>",
        "&#xD800;",
        "&#99999999999;"
      })
  void pageThatOnlyABrowserCanTell_hasNoWords(String page) {
    assertThat(PageText.words(page)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          <Error><Code>NoSuchKey</Code><Message>liability</Message></Error>   | liability
          <a>open</a><b>gap</b>                                               | open  gap
          <a>lia<b/>bility</a>                                                | liability
          <a>lia<!-- x -->bility</a>                                          | liability
          <a>lia<![CDATA[bil]]>ity</a>                                        | liability
          <a>li&#97;bi&#x6c;ity</a>                                           | liability
          <s:Fault xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">x</s:Fault> | x
          <e xmlns="urn:ietf:rfc:7807" detail="li&#97;bility"/>               | liability
          <style>liability</style>                                            | liability
          """)
  void textOfXml_isReadWithAndWithoutItsElements(String xml, String expected) {
    assertThat(PageText.xmlWords(xml).orElseThrow()).contains(expected);
    assertThat(PageText.xmlWords("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY x 'liability'>]><a>&x;</a>",
        "<a>&x;</a>",
        "<?xml-stylesheet href='x.xsl'?><a>x</a>",
        "<a><?php x ?></a>",
        "<h xmlns='http://www.w3.org/1999/xhtml'>x</h>",
        "<h xmlns='http://www.w3.org/1999/&#120;html'>x</h>",
        "<h:x xmlns:h='http://www.w3.org/2000/svg'>x</h:x>",
        "<a><![CDATA[lia<b>bility</b>]]></a>",
        "<a><![CDATA[open</a>",
        "<a>1 < 2</a>",
        "<a"
      })
  void xmlThatMayBeShownOtherwise_hasNoWords(String xml) {
    assertThat(PageText.xmlWords(xml)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "application/xml,UTF-8,true",
        "text/xml; charset=utf-8,-,true",
        "application/problem+xml,-,true",
        "application/xml,ISO-8859-1,true",
        "application/xml,UTF-16,false",
        "application/xml; charset=utf-8,ISO-8859-1,false",
        "application/xml; charset=utf-16,-,false",
        "image/svg+xml,-,false"
      })
  void xmlIsReadInTheEncodingThatItNames(String type, String declared, boolean isRead) {
    String encoding = declared == null ? "" : " encoding='" + declared + "'";
    byte[] body = Texts.utf8("<?xml version='1.0'" + encoding + "?><a>liability</a>");
    assertThat(PageText.words(MediaType.parse(type), PlainBody.of(body)).isPresent())
        .isEqualTo(isRead);
  }

  @Test
  void pagesOfServersAreRead() {
    assertThat(
            PageText.words(
                "<html>\r\n"
                    + "<head><title>502 Bad Gateway</title></head>\r\n"
                    + "<body>\r\n"
                    + "<center><h1>502 Bad Gateway</h1></center>\r\n"
                    + "<hr><center>nginx/1.27.0</center>\r\n"
                    + "</body>\r\n"
                    + "</html>\r\n"
                    + "<!-- a padding to disable MSIE and Chrome friendly error page -->"))
        .isPresent();
    assertThat(
            PageText.words(
                "<!doctype html><html lang=\"en\"><head><title>HTTP Status 500</title><style"
                    + " type=\"text/css\">body {font-family:Tahoma,Arial,sans-serif;} h1, h2, h3, b"
                    + " {color:white;background-color:#525D76;} h1 {font-size:22px;} a"
                    + " {color:black;} .line"
                    + " {height:1px;background-color:#525D76;border:none;}</style></head><body><h1>HTTP"
                    + " Status 500</h1><hr class=\"line\" /><h3>Apache Tomcat</h3></body></html>"))
        .isPresent();
    assertThat(
            PageText.words(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    + "<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /x</pre>\n</body>\n"
                    + "</html>\n"))
        .isPresent();
    assertThat(PageText.words("x".repeat(70_000))).isEmpty();
  }
}
