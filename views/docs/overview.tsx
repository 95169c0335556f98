import type { ComponentChildren, JSX } from 'preact';
import { DocsDocument } from './frame.tsx';
import type { DocsFrame, DocsSample } from './model.ts';
import { Code } from './operation.tsx';

/**
 * Sections of the overview. Their anchors must never change, because other sites link to them. `keywords`, in lower
 * case, are only used by the search.
 */
export const OVERVIEW_SECTIONS = [
  { anchor: 'start', title: 'First request', keywords: 'quick start begin curl example environment base url' },
  {
    anchor: 'authentication',
    title: 'Authentication',
    keywords: 'api key authorization bearer token session sign in login roles viewer editor admin billing access',
  },
  {
    anchor: 'requests',
    title: 'Requests and responses',
    keywords:
      'json content-type timestamps times utc identifiers ids null patch put etag if-none-match if-match revision 412 late 202',
  },
  {
    anchor: 'errors',
    title: 'Errors',
    keywords: 'status code message errors fields 400 401 403 404 409 412 422 429 503',
  },
  {
    anchor: 'pagination',
    title: 'Pagination',
    keywords: 'page page_size per_page total pages lists created_until has_next',
  },
  {
    anchor: 'idempotency',
    title: 'Idempotent requests',
    keywords: 'idempotency-key retry repeat twice duplicate replayed',
  },
  { anchor: 'limits', title: 'Limits', keywords: 'rate limit 429 retry-after size body bytes seconds' },
] as const;

/** The meaning of error status codes (docs/reference/errors.md#status-codes). */
const ERRORS: readonly (readonly [status: number, name: string, meaning: string])[] = [
  [
    400,
    'Bad Request',
    'The request is malformed, a query parameter is invalid, or the state does not allow the request.',
  ],
  [401, 'Unauthorized', 'The key is missing, invalid or expired.'],
  [403, 'Forbidden', 'The key is valid, but its role does not allow this; or a signed link is invalid or expired.'],
  [404, 'Not Found', 'The path does not exist, or the resource belongs to another organization.'],
  [405, 'Method Not Allowed', 'The path does not support this method. The header Allow lists the supported methods.'],
  [406, 'Not Acceptable', 'Accept names only media types that the operation does not produce.'],
  [409, 'Conflict', 'A name is taken, or the resource is being changed or is in use.'],
  [
    412,
    'Precondition Failed',
    'The resource was changed since it was read: its revision differs from that in If-Match.',
  ],
  [413, 'Payload Too Large', 'The body is too large.'],
  [415, 'Unsupported Media Type', 'The operation does not accept the media type of the body.'],
  [416, 'Range Not Satisfiable', 'The file does not have the requested range of bytes.'],
  [422, 'Unprocessable Entity', 'Fields of the body are invalid. The response names each of them.'],
  [429, 'Too Many Requests', 'Too many requests. Retry-After contains the number of seconds to wait.'],
  [
    503,
    'Service Unavailable',
    'A part of the service is unavailable. Retry-After contains the number of seconds to wait.',
  ],
];

export interface OverviewProps {
  frame: DocsFrame;
  /** code of the first request, in several languages */
  samples: readonly DocsSample[];
  /** a 422 response, as indented JSON */
  invalidResponse: string;
}

/** The first page of the API documentation. It describes what all operations have in common. */
export const OverviewPage = ({ frame, samples, invalidResponse }: OverviewProps): JSX.Element => (
  <DocsDocument
    frame={frame}
    title="Overview"
    description="Authentication, errors, pagination, idempotency and limits of the Uptrail API."
    current=""
    sections={OVERVIEW_SECTIONS}
  >
    <h1>API reference</h1>
    <p class="intro">
      Everything that Uptrail does is available over HTTP with JSON: checks and their results, alerts, status pages,
      incidents and reports. All paths begin with <code>/v1</code>.
    </p>
    <TopicList frame={frame} />
    <Start samples={samples} />
    <Authentication root={frame.root} />
    <Requests />
    <Errors invalidAnswer={invalidResponse} />
    <Pagination />
    <Idempotency />
    <Limits />
  </DocsDocument>
);

const TopicList = ({ frame: { root, topics } }: { frame: DocsFrame }): JSX.Element => (
  <ul class="topic-list">
    {topics.map(({ name, title }) => (
      <li>
        <a href={`${root}docs/${name}`}>{title}</a>
      </li>
    ))}
  </ul>
);

const Section = ({
  anchor,
  children,
}: {
  anchor: (typeof OVERVIEW_SECTIONS)[number]['anchor'];
  children: ComponentChildren;
}): JSX.Element => (
  <section class="prose" id={anchor} aria-labelledby={`${anchor}-title`}>
    <h2 id={`${anchor}-title`}>
      <a class="anchor" href={`#${anchor}`}>
        {OVERVIEW_SECTIONS.find((section) => section.anchor === anchor)?.title}
      </a>
    </h2>
    {children}
  </section>
);

const Start = ({ samples }: { samples: readonly DocsSample[] }): JSX.Element => (
  <Section anchor="start">
    <p>
      The examples read the address of the service from the environment variable <code>UPTRAIL</code>, an API key from{' '}
      <code>KEY</code>, and the access token of a session from <code>TOKEN</code>. Replace their ids by your own.
    </p>
    {samples.map(({ language, code }, index) => (
      <details class="sample" open={index === 0} data-language={language}>
        <summary>{language}</summary>
        <Code code={code} label={`First request: ${language}`} />
      </details>
    ))}
  </Section>
);

const Authentication = ({ root }: { root: string }): JSX.Element => (
  <Section anchor="authentication">
    <p>
      Send an API key in the header <code>Authorization</code>, alone or after <code>Bearer</code>. Admins and editors{' '}
      <a href={`${root}docs/api-keys`}>create keys</a>; each is shown once. A key belongs to one organization, and reads
      and writes only data of that organization.
    </p>
    <p>
      Users <a href={`${root}docs/sign-in`}>sign in</a> with e-mail, password and second factor. They receive an access
      token, which is sent in the same header and is valid for 15 minutes, and a refresh token for the next one.
    </p>
    <p>Each operation lists the roles that may call it:</p>
    <dl class="facts">
      <dt>viewer</dt>
      <dd>reads everything; secrets and addresses are masked</dd>
      <dt>editor</dt>
      <dd>also writes pages, incidents, checks, alerts and reports</dd>
      <dt>admin</dt>
      <dd>also manages users, keys and the organization, and reads the audit log</dd>
      <dt>billing</dt>
      <dd>reads what a viewer reads, and manages payments</dd>
    </dl>
  </Section>
);

const Requests = (): JSX.Element => (
  <Section anchor="requests">
    <p>
      Bodies are JSON with <code>Content-Type: application/json</code>. Unknown fields are ignored; a field of the wrong
      type is an error. PUT and PATCH are equivalent: absent fields keep their values, and <code>null</code> clears a
      field that may be null.
    </p>
    <p>
      Identifiers are opaque strings of 12 characters. Times in responses are UTC with six fractional digits and no
      suffix, for example <code>2026-11-20T15:04:05.123000</code>. Times in requests are ISO 8601, in UTC if they have
      no zone. A field that may be null is always present.
    </p>
    <p>
      Responses to GET have an <code>ETag</code>. Send it in <code>If-None-Match</code>: the response is 304 without a
      body while nothing has changed. Separate the values of a list in a query by commas.
    </p>
    <p>
      If a response has a <code>revision</code>, its <code>ETag</code> starts with it. Send the <code>ETag</code>, or{' '}
      <code>"7"</code> for revision 7, as <code>If-Match</code> with a change or a deletion: if the resource was changed
      meanwhile, the response is 412, and nothing is changed. Measured values do not affect the revision.
    </p>
    <p>
      A <code>202</code> response to a write means that the change is stored, but may not be readable yet.{' '}
      <code>Location</code> is the address at which it will appear.
    </p>
  </Section>
);

const Errors = ({ invalidAnswer }: { invalidAnswer: string }): JSX.Element => (
  <Section anchor="errors">
    <p>
      Every error response (400 and above) has the same form: <code>code</code> and <code>status</code> repeat the
      status, <code>message</code> is a sentence for users, and <code>errors</code> lists the problems by location (
      <code>json</code>, <code>query</code>, <code>path</code>) and field. The header <code>X-Request-Id</code>{' '}
      identifies the request in the log of the service.
    </p>
    <Code code={invalidAnswer} label="A 422 response" />
    <dl class="facts">
      {ERRORS.map(([status, name, meaning]) => (
        <>
          <dt id={`error-${status}`}>
            {status} {name}
          </dt>
          <dd>{meaning}</dd>
        </>
      ))}
    </dl>
  </Section>
);

const Pagination = (): JSX.Element => (
  <Section anchor="pagination">
    <p>
      Long lists are paginated. <code>page</code> starts at 1; the page size is <code>page_size</code> or{' '}
      <code>per_page</code>, depending on the operation, and at most 100. The response has an array under a fixed key,
      and <code>pagination</code> with the present page, the number of pages and the number of items. A page beyond the
      end is an empty array. Some operations return all items by default; any of these parameters makes them return a
      page.
    </p>
    <p>
      Lists that are newest first accept <code>created_until</code>. Send the time of the first item of page 1 with all
      further pages, so that new items do not make a page repeat an item.
    </p>
  </Section>
);

const Idempotency = (): JSX.Element => (
  <Section anchor="idempotency">
    <p>
      Send a key of your choice, of 1 to 255 characters, as <code>Idempotency-Key</code> with a write. The same request
      with the same key within 24 hours takes effect once. A repetition gets the same response, marked by{' '}
      <code>Idempotent-Replayed: true</code>, so a client that received no response can repeat the request.
    </p>
    <p>
      While the first request is in progress, a repetition returns 409. A different request with the same key returns
      422. Requests that contain a password ignore the header.
    </p>
  </Section>
);

const Limits = (): JSX.Element => (
  <Section anchor="limits">
    <p>
      The operator of a service may limit the requests per second of each key, and of each address without a key.
      Requests above a limit return 429, with <code>Retry-After</code> in seconds. Lists, exports and uptime are
      expensive: an organization can have four of them in progress, and further ones wait up to five seconds.
    </p>
    <p>
      A body has at most 20,000 values, nested at most 32 levels deep. Request line and headers together have at most 16
      KiB. Every request receives a response within ten seconds.
    </p>
  </Section>
);
