import { Type, type Static } from '@sinclair/typebox';
import {
  Conflict,
  DomainError,
  Forbidden,
  IllegalState,
  Invalid,
  NotFound,
  NotSignedIn,
  PreconditionFailed,
  TooMany,
  type FieldErrors,
} from '../domain/errors.ts';
import { DocumentSetAside, ReadModelUnavailable } from '../projections/readers.ts';
import { ArtifactsUnavailable } from '../stores/artifacts/port.ts';
import { CoordinationUnavailable } from '../stores/coordination/port.ts';
import { AppendTooLarge, DamagedEvent, StoreUnavailable, UnknownEvent } from '../stores/event-store/port.ts';
import { KeysUnavailable } from '../stores/keys/port.ts';
import { ReadStoreUnavailable } from '../stores/read-store/port.ts';
import { Overdue } from './deadline.ts';
import { reasonOf } from './reasons.ts';
import { andMore, MAX_REPORTED_FIELDS, WHOLE_KEY } from './validation-messages.ts';

const Sentences = Type.Record(Type.String(), Type.Array(Type.String()));

/** Body of every response with a status of 400 or above (docs/reference/errors.md#error-body). */
export const ErrorBody = Type.Object(
  {
    code: Type.Integer({ minimum: 400, maximum: 599 }),
    status: Type.String({ description: 'The reason phrase of the code.' }),
    message: Type.String({ description: 'A sentence for people.' }),
    errors: Type.Object(
      { json: Type.Optional(Sentences), query: Type.Optional(Sentences), path: Type.Optional(Sentences) },
      {
        description:
          'Invalid fields by part of the request, then by dotted path. Empty if the error does not concern single fields.',
      },
    ),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/**
 * A request that is refused because of a rule of HTTP: a wrong method, media type or credential, or too many requests.
 */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: FieldErrors;

  constructor(
    status: number,
    message: string,
    { headers = {}, errors = {} }: { headers?: Record<string, string>; errors?: FieldErrors } = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
    this.errors = errors;
  }
}

/** @param allow the supported methods, separated by commas */
export const methodNotAllowed = (allow: string): HttpError =>
  new HttpError(405, 'This path does not support this method.', { headers: { Allow: allow } });

/** Seconds after which callers may retry when a store or a read model is unavailable. */
const RETRY_AFTER_SECONDS = 2;

export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: ErrorBody;
}

/**
 * Returns the response to any error. Unexpected errors result in 500 without details, so the caller of this function
 * has to log them.
 */
export const errorResponse = (error: unknown): ErrorResponse => {
  if (error instanceof HttpError) return answer(error.status, error.message, error.errors, error.headers);
  if (error instanceof Invalid) return answer(invalidStatus(error.errors), error.message, error.errors);
  if (error instanceof Conflict) return answer(409, error.message, error.errors);
  if (error instanceof TooMany) return answer(429, error.message, {}, { 'Retry-After': error.seconds.toString() });
  if (error instanceof NotSignedIn) return answer(401, error.message, {}, { 'WWW-Authenticate': 'Bearer' });
  if (error instanceof DomainError) return answer(statusOf(error), error.message);
  if (error instanceof AppendTooLarge) return answer(413, 'The change is too large to be stored.');
  if (error instanceof DamagedEvent) return answer(500, 'The stored data of this is damaged. It has been logged.');
  if (error instanceof DocumentSetAside) return answer(500, SET_ASIDE_SENTENCE);
  const unavailable = unavailableMessage(error);
  if (unavailable !== null) return answer(503, unavailable, {}, { 'Retry-After': RETRY_AFTER_SECONDS.toString() });
  return answer(500, 'An unexpected error happened. It has been logged under the id of this request.');
};

const SET_ASIDE_SENTENCE =
  'The stored data of this resource is set aside, since it cannot be shown. The resource can be deleted but not changed. Everything else works, and the operator is notified.';

/** Returns the message for an error of an unavailable component; null for other errors. */
const unavailableMessage = (error: unknown): string | null => {
  if (error instanceof StoreUnavailable) return 'The event store is unavailable at the moment.';
  if (error instanceof UnknownEvent) return 'A newer release has recorded events that this process cannot read.';
  if (error instanceof ReadStoreUnavailable) return 'The read models are unavailable at the moment.';
  if (error instanceof CoordinationUnavailable) return 'The service cannot coordinate requests at the moment.';
  if (error instanceof ArtifactsUnavailable) return 'The file store is unavailable at the moment.';
  if (error instanceof KeysUnavailable) return 'The keys of encrypted data are unavailable at the moment.';
  if (error instanceof Overdue) return 'The service could not respond in time. The request may still be performed.';
  return error instanceof ReadModelUnavailable ? error.message : null;
};

const statusOf = (error: DomainError): number => {
  if (error instanceof NotFound) return 404;
  if (error instanceof IllegalState) return 400;
  if (error instanceof Forbidden) return 403;
  if (error instanceof PreconditionFailed) return 412;
  return 500;
};

/** Returns 400 if the query or the path is invalid but the body is not, and 422 otherwise. */
const invalidStatus = ({ json, query, path }: FieldErrors): number => ((query || path) && !json ? 400 : 422);

/** Maximum length of a field name in a response, in characters. */
const LONGEST_FIELD = 300;

/** Limits the number of reported fields. The last message says how many more fields are invalid. */
const bounded = (errors: FieldErrors): FieldErrors => {
  const shown: FieldErrors = {};
  let left = MAX_REPORTED_FIELDS;
  for (const part of ['json', 'query', 'path'] as const) {
    const { [WHOLE_KEY]: ofWhole, ...fields } = errors[part] ?? {};
    const entries = Object.entries(fields);
    const first = entries.slice(0, left);
    left -= first.length;
    const more = entries.length - first.length;
    const whole = [...(ofWhole ?? []), ...(more > 0 ? [andMore(more)] : [])];
    if (first.length + whole.length === 0) continue;
    shown[part] = Object.fromEntries(first.map(([field, sentences]) => [cut(field), sentences]));
    if (whole.length > 0) shown[part][WHOLE_KEY] = whole;
  }
  return shown;
};

const cut = (field: string): string => (field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field);

const answer = (
  status: number,
  message: string,
  errors: FieldErrors = {},
  headers: Readonly<Record<string, string>> = {},
): ErrorResponse => ({
  status,
  headers,
  body: { code: status, status: reasonOf(status), message, errors: bounded(errors) },
});
