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
import { AppendTooLarge, DamagedEvent, StoreUnavailable } from '../stores/event-store/port.ts';
import { KeysUnavailable } from '../stores/keys/port.ts';
import { ReadStoreUnavailable } from '../stores/read-store/port.ts';
import { Overdue } from './deadline.ts';
import { reasonOf } from './reasons.ts';
import { andMore, MOST_FIELDS, WHOLE } from './sentences.ts';

const Sentences = Type.Record(Type.String(), Type.Array(Type.String()));

/** Body of every answer from 400 on (decisions.md: HTTP rules, Error body). */
export const ErrorBody = Type.Object(
  {
    code: Type.Integer({ minimum: 400, maximum: 599 }),
    status: Type.String({ description: 'the reason phrase of the code' }),
    message: Type.String({ description: 'a sentence for people' }),
    errors: Type.Object(
      { json: Type.Optional(Sentences), query: Type.Optional(Sentences), path: Type.Optional(Sentences) },
      { description: 'broken fields by place, then by dotted path; empty when there is nothing to add' },
    ),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** A refusal by HTTP itself: a method, a media type, a key. */
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

/** @param allow the methods that the path takes, separated by commas */
export const methodNotAllowed = (allow: string): HttpError =>
  new HttpError(405, 'This path does not take this method.', { headers: { Allow: allow } });

/** Seconds after which a caller may try again when a store or a read model does not answer. */
const RETRY_AFTER_SECONDS = 2;

export interface ErrorAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: ErrorBody;
}

/**
 * The answer to any error. Unexpected errors are 500 and say nothing about their cause; the caller logs them.
 */
export const errorAnswer = (error: unknown): ErrorAnswer => {
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
  "What is stored of this is set aside, since it can't be shown: it can be deleted, but not changed. Everything else works, and the operator is told.";

/** Says what does not answer at the moment; null when the error is something else. */
const unavailableMessage = (error: unknown): string | null => {
  if (error instanceof StoreUnavailable) return 'The event store does not answer at the moment.';
  if (error instanceof ReadStoreUnavailable) return 'The read models do not answer at the moment.';
  if (error instanceof CoordinationUnavailable) return 'The service cannot coordinate requests at the moment.';
  if (error instanceof ArtifactsUnavailable) return 'The files do not answer at the moment.';
  if (error instanceof KeysUnavailable) return 'The keys of sealed data do not answer at the moment.';
  if (error instanceof Overdue) return 'The service could not answer in time; what was asked for may still be done.';
  return error instanceof ReadModelUnavailable ? error.message : null;
};

const statusOf = (error: DomainError): number => {
  if (error instanceof NotFound) return 404;
  if (error instanceof IllegalState) return 400;
  if (error instanceof Forbidden) return 403;
  if (error instanceof PreconditionFailed) return 412;
  return 500;
};

/** Bad values of a query are 400, everything else about the content 422. */
const invalidStatus = (errors: FieldErrors): number => (errors.query && !errors.json && !errors.path ? 400 : 422);

/** How much of the name of a broken field an answer repeats. */
const LONGEST_FIELD = 300;

/** The first broken fields; the last sentence says how many more there are. */
const bounded = (errors: FieldErrors): FieldErrors => {
  const shown: FieldErrors = {};
  let left = MOST_FIELDS;
  for (const place of ['json', 'query', 'path'] as const) {
    const { [WHOLE]: ofWhole, ...fields } = errors[place] ?? {};
    const said = Object.entries(fields);
    const kept = said.slice(0, left);
    left -= kept.length;
    const more = said.length - kept.length;
    const whole = [...(ofWhole ?? []), ...(more > 0 ? [andMore(more)] : [])];
    if (kept.length + whole.length === 0) continue;
    shown[place] = Object.fromEntries(kept.map(([field, sentences]) => [cut(field), sentences]));
    if (whole.length > 0) shown[place][WHOLE] = whole;
  }
  return shown;
};

const cut = (field: string): string => (field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field);

const answer = (
  status: number,
  message: string,
  errors: FieldErrors = {},
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer => ({
  status,
  headers,
  body: { code: status, status: reasonOf(status), message, errors: bounded(errors) },
});
