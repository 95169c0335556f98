import { receivedBytes, PATIENCE_MS, type StartTlsDialogue } from './dialogue.ts';

/** Maximum number of bytes that a server may send before TLS. */
const MAX_XML = 65_536;
const MAX_TAGS = 1_000;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');

/** Matches the closing tag of the features or of an error. The prefix of the namespace varies, or there is none. */
const LAST = /^<\/(?:[\w.-]+:)?(?:features|error)\s*>$|^<(?:[\w.-]+:)?features(?:\s[^>]*)?\/>$/;
/** Matches an error (RFC 6120, 4.9.2), which contains a condition and possibly a text. */
const ERROR = /<(?:[\w.-]+:)?error(?:\s[^>]*)?>([^]*)<\/(?:[\w.-]+:)?error\s*>/;

/** Formats an error: `host-unknown: This server does not serve this host.` */
const errorOf = (content: string): string => {
  const condition = /<(?:[\w.-]+:)?([\w-]+)/.exec(content)?.[1] ?? '';
  const text = /<(?:[\w.-]+:)?text(?:\s[^>]*)?>([^<]*)/.exec(content)?.[1] ?? '';
  return condition === 'text' || text === '' ? text || condition : `${condition}: ${text}`;
};

/** Requests TLS from an XMPP server (RFC 6120, 5.4). */
export const xmpp = async (talk: StartTlsDialogue): Promise<void> => {
  const { wire } = talk;
  /** Reads tags, each with the text before it, up to one that matches `last`. Takes linear time, whatever is sent. */
  const upTo = async (last: RegExp): Promise<string> => {
    const heard: string[] = [];
    for (let size = 0; size <= MAX_XML && heard.length < MAX_TAGS;) {
      const piece = (await receivedBytes(talk, wire.readUntil('>', MAX_XML, PATIENCE_MS))).toString('latin1');
      heard.push(piece);
      size += piece.length;
      if (!/^\s*</.test(heard[0] ?? '')) break;
      if (last.test(piece.slice(piece.lastIndexOf('<')))) return heard.join('');
    }
    throw talk.stranger(heard.join(''));
  };
  wire.send(
    Buffer.from(
      `<?xml version='1.0'?><stream:stream to='${escaped(talk.host)}' xmlns='jabber:client' ` +
        `xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`,
    ),
  );
  const features = await upTo(LAST);
  const error = /error\s*>$/.test(features) ? ERROR.exec(features)?.[1] : undefined;
  if (error !== undefined) throw talk.refusedFirst(`a stream to ${talk.host}`, errorOf(error));
  if (!features.includes('urn:ietf:params:xml:ns:xmpp-tls')) throw talk.refused('no starttls among its features');
  wire.send(Buffer.from("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"));
  // The response is an empty element, which may have a separate closing tag.
  const answer = await upTo(/\/>$|^<\//);
  if (!/<(?:[\w.-]+:)?proceed\b/.test(answer)) throw talk.refused(answer);
};
