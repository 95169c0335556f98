/** Invalid fields by location and dotted path, each with its error messages (docs/reference/errors.md#error-body). */
export interface FieldErrors {
  json?: Record<string, string[]>;
  query?: Record<string, string[]>;
  path?: Record<string, string[]>;
}

/** A refused command. `message` is a sentence for the caller; http/errors.ts maps the classes to HTTP status codes. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** 404: the resource does not exist for this caller; it may belong to another organization. */
export class NotFound extends DomainError {}

/** 409: a unique name is taken, or a concurrent change won three times. `errors` names the field, if there is one. */
export class Conflict extends DomainError {
  readonly errors: FieldErrors;

  constructor(message: string, errors: FieldErrors = {}) {
    super(message);
    this.errors = errors;
  }
}

/** All retries conflicted with concurrent changes of the same stream. A later request may succeed. */
export class ConcurrentChange extends Conflict {
  constructor() {
    super('The resource was changed at the same time. Please try again.');
  }
}

/** 412: the revision of the resource does not match the caller's `If-Match`. */
export class PreconditionFailed extends DomainError {}

/** 400: the state of the resource does not allow the command. */
export class IllegalState extends DomainError {}

/** 403: a limit of the plan or of credits. The API checks permissions. */
export class Forbidden extends DomainError {}

/** 429: too many requests, or too many in progress. */
export class TooMany extends DomainError {
  /** seconds after which to retry */
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** 401: the caller is not authenticated. The message reveals nothing about stored data. */
export class NotSignedIn extends DomainError {}

/** 422: the content of the request is invalid; `errors` names every invalid field. */
export class Invalid extends DomainError {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors, message = 'The request is invalid.') {
    super(message);
    this.errors = errors;
  }

  /** One invalid body field with one error message. */
  static field(path: string, sentence: string): Invalid {
    return new Invalid({ json: { [path]: [sentence] } });
  }
}
