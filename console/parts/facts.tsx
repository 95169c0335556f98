import type { ComponentChildren, JSX } from 'preact';

/** A list of names with values. */
export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
