import type { JSX } from 'preact';
import { numberFormat } from '../../../../parts/number-format.ts';
import { language, words } from '../../../../shell/language.ts';
import { fieldsOf, numberOf, rowsOf, textOf, type Fields } from '../values.ts';
import { Address, Grid, KnownFacts, Pairs, Part, StatedTime, Text } from './shared.tsx';

const bytesText = (bytes: number): string =>
  numberFormat(language.value, {
    style: 'unit',
    unit: bytes < 10_000 ? 'byte' : 'kilobyte',
    unitDisplay: bytes < 10_000 ? 'long' : 'short',
    maximumFractionDigits: 0,
  }).format(bytes < 10_000 ? bytes : bytes / 1_000);

/** The TLS details of a connection. */
export const TlsFactsPart = ({ tls }: { tls: Fields }): JSX.Element | null => {
  const { result: says } = words.value;
  if (Object.keys(tls).length === 0) return null;
  const issuer = fieldsOf(tls['issuer_expires_first']);
  return (
    <Part title="TLS">
      <KnownFacts
        facts={[
          [says.version, tls['version']],
          [says.cipher, tls['cipher']],
          [says.expires, tls['not_after'], <StatedTime value={tls['not_after']} />],
          [says.daysLeft, tls['days_left']],
          [says.issuerExpires, issuer['subject'], <IssuerExpiry issuer={issuer} />],
        ]}
      />
    </Part>
  );
};

const IssuerExpiry = ({ issuer }: { issuer: Fields }): JSX.Element => (
  <>
    <Text value={issuer['subject']} /> · <StatedTime value={issuer['not_after']} />
  </>
);

/** The content of a web, api or tcp result. */
export const WebPart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const redirects = rowsOf(metadata['redirect_chain']);
  const size = numberOf(metadata['body_size']);
  const port = textOf(metadata['port']);
  const excerpt = textOf(metadata['body_excerpt']);
  return (
    <>
      <KnownFacts
        facts={[
          [says.finalUrl, metadata['final_url'], <Address value={metadata['final_url']} />],
          [says.statusCode, metadata['status_code']],
          [says.httpVersion, metadata['http_version']],
          [says.address, metadata['address'], <Text value={addressText(metadata['address'], port)} />],
          [says.bodySize, size, size === null ? null : bytesText(size)],
        ]}
      />
      {redirects.length > 0 && (
        <Part title={says.redirects}>
          <Grid
            heads={[says.statusCode, says.target]}
            rows={redirects.map((one) => [<Text value={one['status_code']} />, <Address value={one['url']} />])}
          />
        </Part>
      )}
      <TlsFactsPart tls={fieldsOf(metadata['tls'])} />
      <Pairs title={says.headers} pairs={fieldsOf(metadata['headers'])} />
      {excerpt !== null && (
        <Part title={says.excerpt}>
          <Excerpt text={excerpt} />
        </Part>
      )}
    </>
  );
};

const addressText = (address: unknown, port: string | null): string | null => {
  const text = textOf(address);
  if (text === null || port === null) return text;
  return `${text.includes(':') ? `[${text}]` : text}:${port}`;
};

/** Shows multi-line text with its line breaks and blanks unchanged. */
export const Excerpt = ({ text }: { text: string }): JSX.Element => (
  <pre class="excerpt" tabIndex={0}>
    {text}
  </pre>
);
