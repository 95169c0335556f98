import { got, PATIENCE_MS, type Talk } from './talk.ts';

/** Bytes of what a server says before TLS. */
const MAX_XML = 65_536;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');

/** The end of the features; servers choose the prefix of the namespace, or take none. */
const FEATURES = /<\/(?:[\w.-]+:)?features\s*>|<(?:[\w.-]+:)?features(?:\s[^>]*)?\/>/;
/** What an error says (RFC 6120, 4.9.2): its condition, and a text. */
const ERROR = /<(?:[\w.-]+:)?error(?:\s[^>]*)?>([^]*)<\/(?:[\w.-]+:)?error\s*>/;

/** `host-unknown` and the text of an error. */
const errorOf = (content: string): string => {
  const condition = /<(?:[\w.-]+:)?([\w-]+)/.exec(content)?.[1] ?? '';
  const text = /<(?:[\w.-]+:)?text(?:\s[^>]*)?>([^<]*)/.exec(content)?.[1] ?? '';
  return condition === 'text' || text === '' ? text || condition : `${condition}: ${text}`;
};

/** RFC 6120, 5.4 */
export const xmpp = async (talk: Talk): Promise<void> => {
  const { wire } = talk;
  /** Reads tags until what they say is whole. */
  const until = async (whole: (heard: string) => boolean): Promise<string> => {
    let heard = '';
    do {
      const tag = await got(talk, wire.readUntil('>', MAX_XML, PATIENCE_MS));
      heard += tag.toString('latin1');
      if (heard.length > MAX_XML) throw talk.stranger(heard);
    } while (!whole(heard));
    return heard;
  };
  wire.send(
    Buffer.from(
      `<?xml version='1.0'?><stream:stream to='${escaped(talk.host)}' xmlns='jabber:client' ` +
        `xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`,
    ),
  );
  const features = await until((heard) => {
    if (/^\s*[^<\s]/.test(heard)) throw talk.stranger(heard);
    return FEATURES.test(heard) || ERROR.test(heard);
  });
  const error = ERROR.exec(features)?.[1];
  if (error !== undefined) throw talk.refusedFirst(`a stream to ${talk.host}`, errorOf(error));
  if (!features.includes('urn:ietf:params:xml:ns:xmpp-tls')) throw talk.refused('no starttls among its features');
  wire.send(Buffer.from("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"));
  // An element without content may be written with an end of its own.
  const answer = await until((heard) => /\/>$|<\/[^>]*>$/.test(heard));
  if (!/<(?:[\w.-]+:)?proceed\b/.test(answer)) throw talk.refused(answer);
};
