/** Error messages of invalid fields, by location and dotted path (docs/reference/errors.md#error-body). */
export interface FieldErrors {
  json?: Record<string, string[]>;
  query?: Record<string, string[]>;
  path?: Record<string, string[]>;
}

/**
 * The error for a refused command. `message` is a sentence for the caller. http/errors.ts maps the classes to HTTP
 * status codes.
 */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** 404: the resource does not exist, or belongs to another organization than the caller's. */
export class NotFound extends DomainError {}

/**
 * 409: a unique name is taken, or all attempts conflicted with concurrent changes. `errors` names the invalid field, if
 * any.
 */
export class Conflict extends DomainError {
  readonly errors: FieldErrors;

  constructor(message: string, errors: FieldErrors = {}) {
    super(message);
    this.errors = errors;
  }
}

/** Every attempt to append conflicted with a concurrent change of the same stream. A later request may succeed. */
export class ConcurrentChange extends Conflict {
  constructor() {
    super('The resource was changed at the same time. Please try again.');
  }
}

/** 412: the revision of the resource does not match the caller's `If-Match`. */
export class PreconditionFailed extends DomainError {}

/** 400: the state of the resource does not allow the command. */
export class IllegalState extends DomainError {}

/** 403: a limit of the plan or of the credits is reached. Missing permissions are a matter of the API layer. */
export class Forbidden extends DomainError {}

/** 429: too many requests, or too many in progress. */
export class TooMany extends DomainError {
  /** seconds after which the client may retry */
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

  /** Returns the error for one invalid field of the body. */
  static field(path: string, sentence: string): Invalid {
    return new Invalid({ json: { [path]: [sentence] } });
  }
}
