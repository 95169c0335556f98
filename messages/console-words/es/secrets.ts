import type { SecretsWords } from '../words/secrets.ts';

export const secrets: SecretsWords = {
  title: 'Secretos',
  text: 'Valores que los scripts de las comprobaciones leen sin que nadie los vea.',
  none: 'Todavía no hay ningún secreto',
  noneText: 'Guarde aquí un token o una contraseña y vincúlelo a una comprobación cuyo script lo necesite.',
  create: 'Nuevo secreto',
  name: 'Nombre',
  nameHint: 'Letras, cifras, guiones bajos, puntos y guiones. No se puede cambiar después.',
  value: 'Valor',
  newValue: 'Nuevo valor',
  valueHint: 'No se vuelve a mostrar.',
  replace: 'Sustituir el valor',
  replaceText: 'Las ejecuciones que empiecen después leen el nuevo valor.',
  replaced: (name) => `El valor de ${name} se ha sustituido.`,
  deleteTitle: (name) => `¿Eliminar ${name}?`,
  deleteText:
    'Su valor se olvida en todas partes. No se puede deshacer. Mientras lo usen comprobaciones, se queda, y se muestran sus nombres.',
  updated: 'Valor establecido',
};
