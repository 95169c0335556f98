import { Type, type Static } from '@sinclair/typebox';
import { isBlank, NOT_BLANK } from '../../text.ts';
import { AS_SENT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';

/** Longest script; it is sent along with each of its runs. Characters. */
const MAX_SCRIPT = 65_536;

/** Parameters of multistep and synthetic checks (spec.md: parameters by type). */
export const scriptParameters = {
  ...commonParameters,
  /** tests for Playwright; a definition must have one */
  pw_script: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SCRIPT,
      check: (script: string) => script === '' || !isBlank(script),
      sentence: NOT_BLANK,
    }),
  ),
};

export const ScriptParameters = Type.Object(scriptParameters, AS_SENT);
export type ScriptParameters = Static<typeof ScriptParameters>;

/** A script may watch a URL of its own, so a definition need not name one. */
export const SCRIPT_TARGET = { url: 'optional' } as const;

/** A file of a run. */
export const ResultFile = Type.Object({
  contentType: Type.String(),
  name: Type.String(),
  /** stored as a reference (domain/check/file-references.ts), shown as a link that opens without a key for a while */
  url: Type.String(),
});
export type ResultFile = Static<typeof ResultFile>;

/** The output of the script. */
export const Logs = Type.Array(
  Type.Object({
    /** as the functions of `console` are called: `log`, `info`, `warn`, `error`, `debug` */
    level: Type.String(),
    message: Type.String(),
    timestamp: Type.String(),
  }),
);

/** How a test of a script ended, or a step of one. */
export const TestOutcome = {
  name: Type.String(),
  status: oneOf(['passed', 'failed']),
  /** milliseconds */
  duration: Type.Number(),
  error: orNull(Type.String()),
};

/** A step of a test, with those that are parts of it. */
export const TestStep = Type.Recursive(
  (step) => Type.Object({ ...TestOutcome, steps: Type.Optional(Type.Array(step)) }),
  { $id: 'TestStep' },
);
export type TestStep = Static<typeof TestStep>;

/** Of tests that were not skipped. */
export const TestCounts = { failed: Type.Integer(), passed: Type.Integer(), total: Type.Integer() };

/** What the results of all scripts have besides what spec.md names. */
export const ScriptNotes = {
  /** what was left out or could not be done, in sentences */
  notes: Type.Optional(Type.Array(Type.String())),
  /** something was cut to keep this small */
  truncated: Type.Optional(Type.Boolean()),
  /** all of the output, where `logs` was cut */
  full_logs: Type.Optional(ResultFile),
};

/** Where a run's own files are named in the results of scripts. */
export const SCRIPT_FILES = [['full_logs', 'url']] as const;
