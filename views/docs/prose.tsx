import type { JSX } from 'preact';

/** A text in which parts between backticks are code. */
export const Prose = ({ text }: { text: string }): JSX.Element => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

/** A path with highlighted parameters. A line break is possible after each slash. */
export const Path = ({ path }: { path: string }): JSX.Element => (
  <code class="path">
    {path.split('/').map((segment, index) => (
      <>
        {index > 0 && '/'}
        {index > 1 && <wbr />}
        {segment.startsWith('{') ? <var>{segment}</var> : segment}
      </>
    ))}
  </code>
);

export const Methods = ({ methods }: { methods: readonly string[] }): JSX.Element => (
  <>
    {methods.map((method) => (
      <span class={`method ${method.toLowerCase()}`}>{method}</span>
    ))}
  </>
);
