import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { EventDefinition } from '../../domain/event.ts';

/** Returns one sentence for each problem in the data of an event; an empty list if the data is valid. */
export type Validate = (definition: EventDefinition, data: object) => readonly string[];

/** Returns a function that validates events against their schemas. A schema is compiled when it is first used. */
export const createValidation = (): Validate => {
  const ajv = new Ajv({ allErrors: true });
  formats.default(ajv);
  const compiled = new Map<EventDefinition, ValidateFunction>();
  return (definition, data) => {
    let validate = compiled.get(definition);
    if (!validate) {
      validate = ajv.compile(definition.data);
      compiled.set(definition, validate);
    }
    if (validate(data)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = 'is not valid' }) =>
      `${instancePath.slice(1).replaceAll('/', '.')} ${message}`.trim(),
    );
  };
};
