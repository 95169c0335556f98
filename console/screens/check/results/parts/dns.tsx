import type { JSX } from 'preact';
import { durationOf } from '../../../../parts/times/since.tsx';
import { language, words } from '../../../../shell/language.ts';
import { fieldsOf, numberOf, rowsOf, textsOf, type Fields } from '../values.ts';
import { Grid, KnownFacts, Part, StatedTime, Text, YesNo } from './shared.tsx';

/** The response of a name server. */
export const DnsPart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const ttl = numberOf(metadata['ttl']);
  const whois = fieldsOf(metadata['whois_info']);
  const aliases = rowsOf(metadata['cname_chain']);
  return (
    <>
      <Answers title={says.answers} metadata={metadata} />
      <KnownFacts
        facts={[
          [says.question, metadata['query_name'], <Question metadata={metadata} />],
          [says.answerCode, metadata['rcode']],
          ['TTL', ttl, ttl === null ? null : durationOf(ttl, language.value)],
          [says.answeredBy, metadata['answered_by']],
          [says.transport, metadata['transport']],
          ['DNSSEC', metadata['authenticated_data'], <YesNo value={metadata['authenticated_data']} />],
          [says.nameServers, textsOf(metadata['authoritative_nameservers']).join(' ')],
        ]}
      />
      {aliases.length > 0 && (
        <Part title={says.aliases}>
          <Grid
            heads={[says.name, says.type, says.target]}
            rows={aliases.map((one) => [
              <Text value={one['name']} />,
              <Text value={one['type']} />,
              <Text value={one['target']} />,
            ])}
          />
        </Part>
      )}
      {Object.keys(whois).length > 0 && (
        <Part title="WHOIS">
          <KnownFacts
            facts={[
              [says.domain, whois['domain_name']],
              [says.registrar, whois['registrar']],
              [says.created, whois['creation_date'], <StatedTime value={whois['creation_date']} />],
              [says.expires, whois['expiration_date'], <StatedTime value={whois['expiration_date']} />],
              [says.status, textsOf(whois['status']).join(' ')],
            ]}
          />
        </Part>
      )}
    </>
  );
};

const Question = ({ metadata }: { metadata: Fields }): JSX.Element => (
  <>
    <Text value={metadata['record_type']} /> <Text value={metadata['query_name']} />
  </>
);

/** Shows the answers, compared with the expected ones. */
const Answers = ({ title, metadata }: { title: string; metadata: Fields }): JSX.Element | null => {
  const { result: says } = words.value;
  const missing = textsOf(metadata['missing_answers']);
  const unexpected = new Set(textsOf(metadata['unexpected_answers']));
  const answers = textsOf(metadata['answers']);
  if (answers.length + missing.length === 0) return null;
  return (
    <Part title={title}>
      <ul class="answers">
        {answers.map((answer, index) => (
          <li key={index}>
            <code>
              <bdi>{answer}</bdi>
            </code>
            {unexpected.has(answer) && <span class="badge">{says.unexpected}</span>}
          </li>
        ))}
        {missing.map((answer, index) => (
          <li key={`missing ${index}`} class="missing">
            <code>
              <bdi>{answer}</bdi>
            </code>
            <span class="badge bad">{says.missing}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
};
