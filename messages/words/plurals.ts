type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Returns a number with its noun in the right plural form: `5 компонентов`. */
export const plurals = (language: string, forms: Forms): ((count: number) => string) => {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count) => `${numbers.format(count)} ${forms[rules.select(count)] ?? forms.other}`;
};
