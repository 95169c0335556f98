import { Type, type Static } from '@sinclair/typebox';
import { isBlank, NOT_BLANK } from '../../text.ts';
import { AS_SENT, commonParameters } from './common.ts';

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
