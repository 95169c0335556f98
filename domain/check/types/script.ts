import { Type, type Static } from '@sinclair/typebox';
import { isBlank, NOT_BLANK } from '../../text.ts';
import { AS_SENT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';

/** Parameters of multistep and synthetic checks (spec.md: parameters by type). */
export const ScriptParameters = Type.Object(
  {
    ...commonParameters,
    /** a browser test; a definition must have one */
    pw_script: Type.Optional(
      Type.String({ minLength: 1, check: (script: string) => script === '' || !isBlank(script), sentence: NOT_BLANK }),
    ),
  },
  AS_SENT,
);
export type ScriptParameters = Static<typeof ScriptParameters>;

/** A script may watch a URL of its own, so a definition need not name one. */
export const SCRIPT_TARGET = { url: 'optional' } as const;

/** The output of the script. */
export const Logs = Type.Array(Type.Object({ level: Type.String(), message: Type.String(), timestamp: Type.String() }));

/** How a test of a script ended, or a step of one. */
export const TestOutcome = {
  name: Type.String(),
  status: oneOf(['passed', 'failed']),
  /** milliseconds */
  duration: Type.Number(),
  error: orNull(Type.String()),
};

export const TestCounts = { failed: Type.Integer(), passed: Type.Integer(), total: Type.Integer() };
