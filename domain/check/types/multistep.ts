import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import {
  Logs,
  SCRIPT_FILES,
  SCRIPT_TARGET,
  ScriptNotes,
  ScriptParameters,
  TestCounts,
  TestOutcome,
  TestStep,
} from './script.ts';

/** `check_metadata` of multistep results. */
export const MultistepMetadata = Type.Object({
  /** milliseconds */
  execution_time: Type.Number(),
  logs: Logs,
  test_results: Type.Array(
    Type.Object({ ...TestOutcome, softAssertionErrors: Type.Array(Type.String()), steps: Type.Array(TestStep) }),
  ),
  test_summary: Type.Object({ duration: Type.Number(), ...TestCounts }),
  ...ScriptNotes,
});
export type MultistepMetadata = Static<typeof MultistepMetadata>;

export const multistep = defineCheckType({
  name: 'multistep',
  target: SCRIPT_TARGET,
  parameters: ScriptParameters,
  requiredParameters: ['pw_script'],
  metadata: MultistepMetadata,
  files: SCRIPT_FILES,
  credits: 5,
  ownQueue: true,
});
