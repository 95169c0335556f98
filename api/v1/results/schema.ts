import { Type } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { choice, namedSchema, nullable } from '../../schema.ts';
import { CheckResult } from '../checks/schema.ts';

/** A result in the list of all checks (docs/reference/results.md#result-fields). */
export const ResultWithCheck = namedSchema(
  'ResultOfAll',
  Type.Object({
    ...CheckResult.properties,
    check_name: nullable(Type.String()),
    check_type: choice(CHECK_TYPE_NAMES),
    region: Type.String(),
  }),
);
