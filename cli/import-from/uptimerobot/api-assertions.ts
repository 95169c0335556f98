import { jsonPathOf } from '../../../domain/check/types/json-path.ts';
import type { Fields } from '../../configuration/model.ts';
import { isRow, text, type Row } from '../rows.ts';

const MAX_VALUE = 900;

/** What the parameters of a web check require instead of the assertions of a monitor. */
export interface ApiConditions {
  /** the parameter `search_text` */
  text?: string;
  /** the assertion `search_text_absent` */
  absent?: string;
  /** the assertion `json` */
  json: Fields[];
  /** whether the check verifies all that the monitor verifies */
  complete: boolean;
}

/** Comparisons that a JSON assertion has too. */
const SAME = ['equals', 'not_equals', 'contains', 'greater_than', 'less_than'];

/** Maps the assertions of a monitor of the type `API`: comparisons of values at a JSONPath, or of the whole body. */
export const apiConditionsOf = (assertions: Row): ApiConditions => {
  const { checks } = assertions;
  const list = (Array.isArray(checks) ? checks : []).filter(isRow);
  const isAny = text(assertions, 'logic').toUpperCase() === 'OR' && list.length > 1;
  if (isAny || list.length === 0) return { json: [], complete: false };
  const found: ApiConditions = { json: [], complete: true };
  for (const check of list) {
    const part = conditionOf(check);
    const isSecond = (['text', 'absent'] as const).some((one) => part?.[one] !== undefined && found[one] !== undefined);
    if (part === null || isSecond) found.complete = false;
    else Object.assign(found, part, { json: [...found.json, ...(part.json ?? [])] });
  }
  return found;
};

const conditionOf = (check: Row): Partial<Omit<ApiConditions, 'complete'>> | null => {
  const [property, comparison, target] = [text(check, 'property').trim(), text(check, 'comparison'), check['target']];
  if (property === 'response_body' && typeof target === 'string' && target !== '' && target.length <= MAX_VALUE) {
    if (comparison === 'contains') return { text: target };
    return comparison === 'not_contains' ? { absent: target } : null;
  }
  if (!property.startsWith('$') || jsonPathOf(property) === null) return null;
  if (comparison === 'is_null') return { json: [{ path: property, operator: 'equals', value: null }] };
  if (comparison === 'is_not_null') return { json: [{ path: property, operator: 'not_equals', value: null }] };
  if (!SAME.includes(comparison) || target === undefined || JSON.stringify(target).length > MAX_VALUE) return null;
  if (['greater_than', 'less_than'].includes(comparison) && typeof target !== 'number') return null;
  return { json: [{ path: property, operator: comparison, value: target }] };
};
