import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { Logs, SCRIPT_TARGET, ScriptParameters, TestCounts, TestOutcome } from './script.ts';

/** `check_metadata` of multistep results. */
export const MultistepMetadata = Type.Object({
  /** milliseconds */
  execution_time: Type.Number(),
  logs: Logs,
  test_results: Type.Array(
    Type.Object({
      ...TestOutcome,
      softAssertionErrors: Type.Array(Type.String()),
      steps: Type.Array(Type.Object(TestOutcome)),
    }),
  ),
  test_summary: Type.Object({ duration: Type.Number(), ...TestCounts }),
});
export type MultistepMetadata = Static<typeof MultistepMetadata>;

export const multistep = defineCheckType({
  name: 'multistep',
  target: SCRIPT_TARGET,
  parameters: ScriptParameters,
  requiredParameters: ['pw_script'],
  metadata: MultistepMetadata,
  credits: 5,
  ownQueue: true,
});
