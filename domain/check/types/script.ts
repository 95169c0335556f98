import { Type, type Static } from '@sinclair/typebox';
import { isBlank, NOT_BLANK } from '../../text.ts';
import { KEEP_INPUT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';

/** Maximum length of a script in characters. The script is sent with each run. */
const MAX_SCRIPT = 65_536;

/** Parameters of multistep and synthetic checks (docs/reference/scripts.md#script-parameters). */
export const scriptParameters = {
  ...commonParameters,
  /** a Playwright test script, which every definition must have */
  pw_script: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SCRIPT,
      check: (script: string) => script === '' || !isBlank(script),
      sentence: NOT_BLANK,
    }),
  ),
};

export const ScriptParameters = Type.Object(scriptParameters, KEEP_INPUT);
export type ScriptParameters = Static<typeof ScriptParameters>;

/** The URL is optional, because a script can contain the URL. */
export const SCRIPT_TARGET = { url: 'optional' } as const;

/** A file of a run. */
export const ResultFile = Type.Object({
  contentType: Type.String(),
  name: Type.String(),
  /**
   * In stored results, a reference (domain/check/file-references.ts). In responses, a signed link, which works without
   * an API key for a limited time.
   */
  url: Type.String(),
});
export type ResultFile = Static<typeof ResultFile>;

/** The output of the script. */
export const Logs = Type.Array(
  Type.Object({
    /** the called function of `console`: `log`, `info`, `warn`, `error` or `debug` */
    level: Type.String(),
    message: Type.String(),
    timestamp: Type.String(),
  }),
);

/** The outcome of a test in a script, or of a step in a test. */
export const TestOutcome = {
  name: Type.String(),
  status: oneOf(['passed', 'failed']),
  /** milliseconds */
  duration: Type.Number(),
  error: orNull(Type.String()),
};

/** A step of a test, with its substeps. */
export const TestStep = Type.Recursive(
  (step) => Type.Object({ ...TestOutcome, steps: Type.Optional(Type.Array(step)) }),
  { $id: 'TestStep' },
);
export type TestStep = Static<typeof TestStep>;

/** Numbers of tests. Skipped tests are not counted. */
export const TestCounts = { failed: Type.Integer(), passed: Type.Integer(), total: Type.Integer() };

/** Additional fields of all script results. */
export const ScriptNotes = {
  /** sentences about data that was omitted or could not be recorded */
  notes: Type.Optional(Type.Array(Type.String())),
  /** whether values were truncated */
  truncated: Type.Optional(Type.Boolean()),
  /** the complete output, if `logs` was truncated */
  full_logs: Type.Optional(ResultFile),
};

/** Paths of file references in the results of scripts. */
export const SCRIPT_FILES = [['full_logs', 'url']] as const;
