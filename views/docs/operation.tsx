import type { JSX } from 'preact';
import { FieldDetails, Fields, Type, NestedFields } from './fields.tsx';
import type { DocsAccess, DocsOperation } from './model.ts';
import { Methods, Path, Prose } from './prose.tsx';

/** The section of an operation: request, response, and code examples. */
export const Operation = ({ operation, root }: { operation: DocsOperation; root: string }): JSX.Element => {
  const { anchor, methods, path, title, summary, access, idempotencyKey, pathParameters, queryParameters } = operation;
  return (
    <section class="operation" id={anchor} aria-labelledby={`${anchor}-title`}>
      <div class="about">
        <h2 id={`${anchor}-title`}>
          <a class="anchor" href={`#${anchor}`}>
            {title}
          </a>
        </h2>
        <p class="call">
          <Methods methods={methods} /> <Path path={path} />
        </p>
        <p class="note">
          <Prose text={summary} />
        </p>
        <p class="access">
          <Access access={access} root={root} />
          {idempotencyKey !== null && (
            <>
              {' '}
              {idempotencyKey === 'required' ? 'Requires' : 'Takes'} an{' '}
              <a href={`${root}docs#idempotency`}>Idempotency-Key</a>.
            </>
          )}
        </p>
        {pathParameters.length > 0 && (
          <>
            <h3>Path parameters</h3>
            <Fields fields={pathParameters} />
          </>
        )}
        {queryParameters.length > 0 && (
          <>
            <h3>Query parameters</h3>
            <Fields fields={queryParameters} />
          </>
        )}
        <Body operation={operation} />
        <Answers operation={operation} root={root} />
      </div>
      <Example operation={operation} />
    </section>
  );
};

const Access = ({ access, root }: { access: DocsAccess; root: string }): JSX.Element => {
  const authentication = `${root}docs#authentication`;
  switch (access.kind) {
    case 'roles':
      return (
        <>
          Requires an <a href={authentication}>API key or session</a> with the role {listed(access.roles)}.
        </>
      );
    case 'session':
      return (
        <>
          Requires a <a href={authentication}>session</a>; API keys are rejected.
        </>
      );
    case 'link':
      return <>Requires a signed link, which other responses contain.</>;
    case 'anybody':
      return (
        <>{access.key ? 'Requires no key. With a key, the response is the one for its owner.' : 'Requires no key.'}</>
      );
  }
};

const listed = (roles: readonly string[]): JSX.Element => (
  <>
    {roles.map((role, index) => (
      <>
        {index === 0 ? '' : index === roles.length - 1 ? ' or ' : ', '}
        <em>{role}</em>
      </>
    ))}
  </>
);

const Body = ({ operation: { body } }: { operation: DocsOperation }): JSX.Element | null => {
  if (!body) return null;
  const { value, types, required, sameAs } = body;
  const isObject = value.fields.length > 0 || value.variants.length > 0;
  return (
    <>
      <h3>
        Body <span class="type">{types.includes('*/*') ? 'of any type' : types.join(', ')}</span>
        {!required && <span class="type"> optional</span>}
      </h3>
      {sameAs !== null ? (
        <p>
          The fields of <a href={`#${sameAs}`}>the body above</a>, all optional.
        </p>
      ) : (
        <>
          {!(isObject && value.type === 'object') && (
            <p class="field">
              <Type value={value} />
            </p>
          )}
          <FieldDetails value={value} />
          <NestedFields value={value} depth={0} />
        </>
      )}
    </>
  );
};

const Answers = ({
  operation: { responses, errors },
  root,
}: {
  operation: DocsOperation;
  root: string;
}): JSX.Element => (
  <>
    <h3>Response</h3>
    {responses.map(({ status, reason, types, value }) => (
      <div class="answer">
        <p class="field">
          <span class="status">{status}</span> {reason}
          {value !== null && (
            <>
              : <Type value={value} />
            </>
          )}
          {value === null && ', without a body'}
          {types.length > 0 && !(types.length === 1 && types[0] === 'application/json') && (
            <span class="type"> as {types.map((type) => (type === '*/*' ? 'its own type' : type)).join(', ')}</span>
          )}
        </p>
        {value !== null && (
          <>
            <FieldDetails value={value} />
            <NestedFields value={value} depth={0} />
          </>
        )}
      </div>
    ))}
    {errors.length > 0 && (
      <p class="errors">
        Errors:{' '}
        {errors.map((status, index) => (
          <>
            {index > 0 && ' '}
            <a href={`${root}docs#error-${status}`}>{status}</a>
          </>
        ))}
      </p>
    )}
  </>
);

const Example = ({ operation }: { operation: DocsOperation }): JSX.Element | null => {
  const { samples, exampleResponse, title } = operation;
  if (samples.length === 0 && !exampleResponse) return null;
  return (
    <div class="example">
      {samples.map(({ language, code }, index) => (
        <details class="sample" open={index === 0} data-language={language}>
          <summary>{language}</summary>
          <Code code={code} label={`${title}: ${language}`} />
        </details>
      ))}
      {exampleResponse !== null && (
        <div class="sample">
          <p class="caption">
            Response {exampleResponse.status} {exampleResponse.reason}
          </p>
          <Code code={exampleResponse.json} label={`${title}: response`} />
        </div>
      )}
    </div>
  );
};

/** A code block that can be scrolled with the keyboard. */
export const Code = ({ code, label }: { code: string; label: string }): JSX.Element => (
  <pre tabIndex={0} role="region" aria-label={label}>
    <code>{code}</code>
  </pre>
);
