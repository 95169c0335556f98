import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { EventDefinition } from '../../domain/event.ts';

/** Sentences about what is wrong with the data of an event; empty if it is valid. */
export type Validate = (definition: EventDefinition, data: object) => readonly string[];

/** Checks events against their schemas; a schema is compiled at the first event of its type. */
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
