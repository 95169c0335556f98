import type { ComponentChildren, JSX } from 'preact';
import { DocsDocument } from './frame.tsx';
import type { DocsFrame, DocsSample } from './model.ts';
import { Code } from './operation.tsx';

/** Sections of the overview: their anchors are stable, and `keywords` (lower case) is what a search finds them by. */
export const OVERVIEW_SECTIONS = [
  { anchor: 'start', title: 'First request', keywords: 'quick start begin curl example environment base url' },
  {
    anchor: 'authentication',
    title: 'Authentication',
    keywords: 'api key authorization bearer token session sign in login roles viewer editor admin billing access',
  },
  {
    anchor: 'requests',
    title: 'Requests and answers',
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
    title: 'Repeating requests safely',
    keywords: 'idempotency-key retry repeat twice duplicate replayed',
  },
  { anchor: 'limits', title: 'Limits', keywords: 'rate limit 429 retry-after size body bytes seconds' },
] as const;

/** What the statuses of errors mean (docs/decisions.md: Requests). */
const ERRORS: readonly (readonly [status: number, name: string, meaning: string])[] = [
  [400, 'Bad Request', 'The request is malformed, a parameter of the query is invalid, or the state forbids it.'],
  [401, 'Unauthorized', 'There is no key, or it is wrong or has expired.'],
  [403, 'Forbidden', 'The key is valid, but its role may not do this; or a signed link is wrong or has expired.'],
  [404, 'Not Found', 'There is nothing at the path, or it belongs to another organization.'],
  [405, 'Method Not Allowed', 'The path does not support this method; the header Allow lists those that it supports.'],
  [406, 'Not Acceptable', 'Accept names only types that the operation does not answer in.'],
  [409, 'Conflict', 'A name is taken, or the resource is changed or in use at this moment.'],
  [412, 'Precondition Failed', 'The resource was changed since it was read: its revision is not that of If-Match.'],
  [413, 'Payload Too Large', 'The body is larger than it may be.'],
  [415, 'Unsupported Media Type', 'The body is not of a type that the operation takes.'],
  [416, 'Range Not Satisfiable', 'The file has no such range of bytes.'],
  [422, 'Unprocessable Entity', 'Fields of the body are invalid; the answer names each of them.'],
  [429, 'Too Many Requests', 'Too much at once. Retry-After says when to try again, in seconds.'],
  [
    503,
    'Service Unavailable',
    'A part of the service does not answer at the moment. Retry-After says when to try again.',
  ],
];

export interface OverviewProps {
  frame: DocsFrame;
  /** the first request */
  samples: readonly DocsSample[];
  /** an answer 422, as indented JSON */
  invalidAnswer: string;
}

/** The first page of the documentation: what all operations have in common. */
export const OverviewPage = ({ frame, samples, invalidAnswer }: OverviewProps): JSX.Element => (
  <DocsDocument
    frame={frame}
    title="Overview"
    description="Authentication, errors, pagination, repeated requests and limits of the Uptrail API."
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
    <Errors invalidAnswer={invalidAnswer} />
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
      <code>KEY</code>, and the access token of a session from <code>TOKEN</code>. Ids in them stand for yours.
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
      Send an API key in the header <code>Authorization</code>, by itself or after <code>Bearer</code>. Admins and
      editors <a href={`${root}docs/api-keys`}>make keys</a>; each is shown once. A key belongs to one organization, and
      everything it reads and writes is that organization's.
    </p>
    <p>
      People <a href={`${root}docs/sign-in`}>sign in</a> by e-mail, password and second factor, and get an access token,
      which goes into the same header and works for a quarter of an hour, and a refresh token, which gets the next one.
    </p>
    <p>Each operation says which roles may call it:</p>
    <dl class="facts">
      <dt>viewer</dt>
      <dd>reads everything; secrets and addresses are masked</dd>
      <dt>editor</dt>
      <dd>also writes pages, incidents, checks, alerts and reports</dd>
      <dt>admin</dt>
      <dd>also manages people, keys and the organization, and reads the audit log</dd>
      <dt>billing</dt>
      <dd>reads what a viewer reads, and manages payments</dd>
    </dl>
  </Section>
);

const Requests = (): JSX.Element => (
  <Section anchor="requests">
    <p>
      Bodies are JSON with <code>Content-Type: application/json</code>. Fields that an operation does not know are
      ignored; a field of the wrong type is an error. PUT and PATCH do the same: fields that are absent stay as they
      are, and <code>null</code> clears a field that may be null.
    </p>
    <p>
      Identifiers are opaque texts of 12 characters. Times in answers are UTC with six fractional digits and no suffix,
      such as <code>2026-11-20T15:04:05.123000</code>; times in requests are ISO 8601, and UTC if they name no zone. A
      field that may be null is always there.
    </p>
    <p>
      Answers to GET have an <code>ETag</code>: send it in <code>If-None-Match</code>, and the answer is 304 without a
      body while nothing has changed. A list of values in a query has commas between them.
    </p>
    <p>
      Where an answer has a <code>revision</code>, its <code>ETag</code> begins with it. Send the <code>ETag</code>, or{' '}
      <code>"7"</code> for revision 7, as <code>If-Match</code> with a change or a deletion: if somebody else has
      changed the resource meanwhile, the answer is 412, and nothing is changed. What is only measured does not matter.
    </p>
    <p>
      An answer <code>202</code> to a write means that the change is stored, but that what is read may not show it yet;{' '}
      <code>Location</code> says where it will.
    </p>
  </Section>
);

const Errors = ({ invalidAnswer }: { invalidAnswer: string }): JSX.Element => (
  <Section anchor="errors">
    <p>
      Every answer from 400 on has the same form: <code>code</code> and <code>status</code> repeat the status,{' '}
      <code>message</code> is a sentence for people, and <code>errors</code> names what is wrong by place (
      <code>json</code>, <code>query</code>, <code>path</code>) and field. The header <code>X-Request-Id</code> names
      the request in the log of the service.
    </p>
    <Code code={invalidAnswer} label="An answer 422" />
    <dl class="facts">
      {ERRORS.map(([status, name, meaning]) => (
        <>
          <dt id={`error-${status.toString()}`}>
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
      Lists that can become long come in pages. <code>page</code> counts from 1; the size is <code>page_size</code> or{' '}
      <code>per_page</code>, as the operation says, and at most 100. The answer has an array under a fixed key, and{' '}
      <code>pagination</code> with the present page, the number of pages and of items. A page beyond the end is an empty
      array. Where the size is optional beside an array of all, any of these parameters asks for a page.
    </p>
    <p>
      Lists that are newest first take <code>created_until</code>: send the time of the first item of page 1 with all
      further pages, so that what arrives meanwhile makes no page repeat an item.
    </p>
  </Section>
);

const Idempotency = (): JSX.Element => (
  <Section anchor="idempotency">
    <p>
      Send a key of your own, of 1 to 255 characters, as <code>Idempotency-Key</code> with a write. The same request
      under the same key within 24 hours takes effect once, and gets the same answer, marked by{' '}
      <code>Idempotent-Replayed: true</code>. So a client that got no answer can simply ask again.
    </p>
    <p>
      While the first request is in flight, the second is 409. Another request under the same key is 422. Requests that
      hold a password ignore the header.
    </p>
  </Section>
);

const Limits = (): JSX.Element => (
  <Section anchor="limits">
    <p>
      The operator of a service may limit the requests per second of each key and of each address without a key. What is
      above a limit is 429, with <code>Retry-After</code> in seconds. Lists, exports and uptime are heavy: an
      organization has four of them in progress at once, and further ones wait up to five seconds for their turn.
    </p>
    <p>
      A body holds at most 20,000 values, nested at most 32 levels deep; request line and headers have at most 16 KiB
      together. Every request is answered within ten seconds.
    </p>
  </Section>
);
