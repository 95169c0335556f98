import type { ComponentChildren, JSX } from 'preact';
import { Facts } from '../../../../parts/facts.tsx';
import { momentOf } from '../../../../parts/times/since.tsx';
import { language, words } from '../../../../shell/language.ts';
import { linkOf, textOf } from '../values.ts';

/** A section of a result with a title. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => (
  <section class="result-part">
    <h3>{title}</h3>
    {children}
  </section>
);

export const Sentences = ({ title, sentences }: { title: string; sentences: readonly string[] }): JSX.Element | null =>
  sentences.length === 0 ? null : (
    <Part title={title}>
      <ul class="problem-list">
        {sentences.map((sentence, index) => (
          <li key={index}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
    </Part>
  );

/**
 * Shows any value as text, or a dash if there is no value. The text direction of the value does not affect the text
 * around it.
 */
export const Text = ({ value }: { value: unknown }): JSX.Element => <bdi>{textOf(value) ?? '–'}</bdi>;

/** Shows a URL as a link if it is safe to follow, and otherwise as text. */
export const Address = ({ value }: { value: unknown }): JSX.Element => {
  const text = textOf(value);
  const href = text === null ? null : linkOf(text);
  if (href === null) return <Text value={text} />;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <bdi>{text}</bdi>
    </a>
  );
};

/** Shows a boolean as "yes" or "no". */
export const YesNo = ({ value }: { value: unknown }): JSX.Element => {
  const { yes, no } = words.value.common;
  return <>{value === true ? yes : value === false ? no : '–'}</>;
};

/** Shows a time stated by a certificate or a server. If the text is not a valid time, shows the text itself. */
export const StatedTime = ({ value }: { value: unknown }): JSX.Element => {
  const text = textOf(value);
  if (text === null) return <>–</>;
  const moment = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : momentOf(text);
  if (Number.isNaN(moment)) return <bdi>{text}</bdi>;
  const format = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <time dateTime={new Date(moment).toISOString()} title={text}>
      {format.format(moment)}
    </time>
  );
};

/** A list of facts that omits unknown values. */
export const KnownFacts = ({
  facts,
}: {
  facts: readonly (readonly [name: string, value: unknown, shown?: ComponentChildren])[];
}): JSX.Element | null => {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (known.length === 0) return null;
  return <Facts facts={known.map(([name, value, shown]) => [name, shown ?? <Text value={value} />])} />;
};

/** A plain table with column headings. */
export const Grid = ({
  heads,
  rows,
}: {
  heads: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}): JSX.Element => (
  <div class="wide-table">
    <table class="plain-table">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={heads[column]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A table of names and values, such as headers. */
export const Pairs = ({
  title,
  pairs,
}: {
  title: string;
  pairs: Readonly<Record<string, unknown>>;
}): JSX.Element | null => {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return null;
  return (
    <Part title={title}>
      <dl class="name-values">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <Text value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
};
