import { escapeVariables } from '../../configuration/placeholders.ts';
import { mapTexts } from '../mapping/texts.ts';

/** `$$` stands for a dollar sign. `${NAME}` and `$NAME` stand for an environment variable. */
const REFERENCE = /(\$\$)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/;

const converted = (text: string): string => {
  let result = '';
  let literal = '';
  let rest = text;
  for (let found = REFERENCE.exec(rest); found; found = REFERENCE.exec(rest)) {
    const [whole, dollar, braced, bare] = found;
    literal += rest.slice(0, found.index);
    rest = rest.slice(found.index + whole.length);
    if (dollar !== undefined) literal += '$';
    else {
      result += `${escapeVariables(literal)}\${env:${braced ?? bare ?? ''}}`;
      literal = '';
    }
  }
  return result + escapeVariables(literal + rest);
};

/** Converts the references to environment variables in all texts of a value to those of a configuration. */
export const withVariables = (value: unknown): unknown => mapTexts(value, converted);

/** Whether a text contains a reference to an environment variable. */
export const hasVariable = (text: string): boolean => text.includes('${env:');
