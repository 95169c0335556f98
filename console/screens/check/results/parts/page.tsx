import type { JSX } from 'preact';
import { language, words } from '../../../../shell/language.ts';
import { timeText } from '../../../checks/figures.ts';
import { fieldsOf, numberOf, rowsOf, textOf, type Fields } from '../values.ts';
import { Address, Grid, KnownFacts, Pairs, Part, Text } from './shared.tsx';

/** The pages that a script visited, with the resources that the browser loaded for each. */
export const PageParts = ({ pages }: { pages: readonly Fields[] }): JSX.Element => (
  <>
    {pages.map((page, index) => (
      <Page key={index} page={page} />
    ))}
  </>
);

const time = (value: unknown): string | null => {
  const known = numberOf(value);
  return known === null ? null : timeText(known, language.value);
};

const Page = ({ page }: { page: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const vitals = fieldsOf(page['webVitals']);
  const document = fieldsOf(page['documentRequest']);
  const requests = rowsOf(page['network']);
  const summary = fieldsOf(page['networkSummary']);
  return (
    <Part title={says.page(textOf(page['url']) ?? '–')}>
      <KnownFacts
        facts={[
          [says.statusCode, document['statusCode']],
          [says.duration, time(page['duration'])],
          ['FCP', time(vitals['FCP'])],
          ['LCP', time(vitals['LCP'])],
          ['TTFB', time(vitals['TTFB'])],
          [says.requests, summary['count']],
        ]}
      />
      <Pairs title={says.headers} pairs={fieldsOf(document['responseHeaders'])} />
      <Requests title={says.requests} requests={requests} />
    </Part>
  );
};

const Requests = ({ title, requests }: { title: string; requests: readonly Fields[] }): JSX.Element | null => {
  const { result: says } = words.value;
  if (requests.length === 0) return null;
  return (
    <details class="folded">
      <summary>{title}</summary>
      <Grid
        heads={[says.statusCode, says.type, says.responseTime, says.target]}
        rows={requests.map((one) => [
          <Text value={one['statusCode'] ?? one['status']} />,
          <Text value={one['resourceType'] ?? one['resource_type']} />,
          <Text value={time(one['time'] ?? one['duration'])} />,
          <span>
            <Text value={one['method'] ?? ''} /> <Address value={one['url']} />
          </span>,
        ])}
      />
    </details>
  );
};

/** The requests in a result of the format that was used before July 2025. */
export const LegacyRequests = ({ requests }: { requests: readonly Fields[] }): JSX.Element => (
  <Requests title={words.value.result.requests} requests={requests} />
);
