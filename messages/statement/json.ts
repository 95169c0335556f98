import type { Statement } from '../../domain/statement/content.ts';

/** Returns a statement as the text of a file. */
export const statementJson = (statement: Statement): string => `${JSON.stringify(statement, null, 2)}\n`;

/** Returns the name of the file, without its extension. */
export const statementName = ({ page, month }: Pick<Statement, 'page' | 'month'>): string =>
  `Uptime ${page.name} ${month}`;
