import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stableId } from '../../../../site/pages/feeds/entries.ts';
import { FORMATS, type FeedContent } from '../../../../site/pages/feeds/formats.ts';

// The ids of entries must never change, because feed readers use them to recognize entries that they have read.
const test = suite('feed formats');

const CONTENT: FeedContent = {
  id: stableId('history of page k3v9x0q2m7ab'),
  title: 'R&D &amp; <Co> – Incidents',
  author: 'R&D &amp; <Co>',
  description: 'What happens & happened',
  language: 'en',
  root: 'https://status.example.org',
  path: '',
  self: 'history.atom',
  since: 0,
  entries: [
    {
      id: stableId('incident m7abk3v9x0q2'),
      title: 'A < B ]]> C ]]> D',
      path: 'incidents/m7abk3v9x0q2',
      html: '<p>It &lt;fails&gt; ]]&gt;</p>\n',
      summary: 'It <fails> ]]>',
      published: Date.parse('2026-11-20T15:00:00.123Z'),
      updated: Date.parse('2026-11-20T15:10:00.456Z'),
    },
  ],
};

test('an Atom feed has escaped titles, and its dates come from the entries', () => {
  assert.is(
    FORMATS.atom.write(CONTENT),
    `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
    <id>urn:uuid:ef44ea59-02f9-50d7-9742-3d41ab25e172</id>
    <title>R&amp;D &amp;amp; &lt;Co&gt; – Incidents</title>
    <updated>2026-11-20T15:10:00.456Z</updated>
    <generator>Uptrail</generator>
    <author>
        <name>R&amp;D &amp;amp; &lt;Co&gt;</name>
    </author>
    <link rel="alternate" href="https://status.example.org/"/>
    <link rel="self" href="https://status.example.org/history.atom"/>
    <subtitle>What happens &amp; happened</subtitle>
    <entry>
        <title type="html"><![CDATA[A &lt; B ]]&gt; C ]]&gt; D]]></title>
        <id>urn:uuid:f9537e05-9a54-56ab-b5c6-bc2b373db956</id>
        <link href="https://status.example.org/incidents/m7abk3v9x0q2"/>
        <updated>2026-11-20T15:10:00.456Z</updated>
        <summary type="html"><![CDATA[It &lt;fails&gt; ]]&gt;]]></summary>
        <content type="html"><![CDATA[<p>It &lt;fails&gt; ]]&gt;</p>
]]></content>
        <published>2026-11-20T15:00:00.123Z</published>
    </entry>
</feed>`,
  );
});

test('an RSS feed has plain text titles, and the date of its last change', () => {
  assert.is(
    FORMATS.rss.write({ ...CONTENT, self: 'history.rss' }),
    `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
    <channel>
        <title>R&amp;D &amp;amp; &lt;Co&gt; – Incidents</title>
        <link>https://status.example.org/</link>
        <description>What happens &amp; happened</description>
        <lastBuildDate>Fri, 20 Nov 2026 15:10:00 GMT</lastBuildDate>
        <docs>https://www.rssboard.org/rss-specification</docs>
        <generator>Uptrail</generator>
        <language>en</language>
        <ttl>5</ttl>
        <atom:link href="https://status.example.org/history.rss" rel="self" type="application/rss+xml"/>
        <item>
            <title><![CDATA[A < B ]] > C ]] > D]]></title>
            <link>https://status.example.org/incidents/m7abk3v9x0q2</link>
            <guid isPermaLink="false">urn:uuid:f9537e05-9a54-56ab-b5c6-bc2b373db956</guid>
            <pubDate>Fri, 20 Nov 2026 15:10:00 GMT</pubDate>
            <description><![CDATA[It &lt;fails&gt; ]]&gt;]]></description>
            <content:encoded><![CDATA[<p>It &lt;fails&gt; ]]&gt;</p>
]]></content:encoded>
        </item>
    </channel>
</rss>`,
  );
});

test('a JSON feed conforms to JSON Feed 1.1', () => {
  assert.equal(JSON.parse(FORMATS.json.write({ ...CONTENT, self: 'feed.json' })), {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'R&D &amp; <Co> – Incidents',
    home_page_url: 'https://status.example.org/',
    feed_url: 'https://status.example.org/feed.json',
    description: 'What happens & happened',
    language: 'en',
    authors: [{ name: 'R&D &amp; <Co>' }],
    items: [
      {
        id: 'urn:uuid:f9537e05-9a54-56ab-b5c6-bc2b373db956',
        url: 'https://status.example.org/incidents/m7abk3v9x0q2',
        title: 'A < B ]]> C ]]> D',
        content_html: '<p>It &lt;fails&gt; ]]&gt;</p>\n',
        summary: 'It <fails> ]]>',
        date_published: '2026-11-20T15:00:00.123Z',
        date_modified: '2026-11-20T15:10:00.456Z',
      },
    ],
  });
});

test('a feed without entries has the date of its page', () => {
  const empty = { ...CONTENT, entries: [], since: Date.parse('2026-11-01T00:00:00Z') };
  assert.match(FORMATS.atom.write(empty), '<updated>2026-11-01T00:00:00.000Z</updated>');
  assert.match(FORMATS.rss.write(empty), '<lastBuildDate>Sun, 01 Nov 2026 00:00:00 GMT</lastBuildDate>');
});

test.run();
