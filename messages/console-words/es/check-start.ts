import { plurals } from '../../words/plurals.ts';
import type { CheckStartWords } from '../words/check-start.ts';

const days = plurals('es', { one: 'día más', other: 'días más' });

export const checkStart: CheckStartWords = {
  question: '¿Qué hay que vigilar?',
  example: 'Por ejemplo shop.example.com, https://api.example.com/health, db.example.com:5432',
  address: 'Dirección',
  unclear: 'Escriba una URL, un servidor con o sin puerto, o una dirección IP.',
  proposal: 'Esto es lo que se vigilará',
  name: 'Nombre',
  type: 'Tipo',
  keyword: 'Texto que debe estar',
  keywordHint: 'Una palabra de la página o de la respuesta, para que una página de error cuente como caída.',
  certificate: 'Certificado',
  certificateDays: (count) => `debe ser válido ${days(count)}`,
  every: 'Se ejecuta cada',
  submit: 'Empezar a vigilar',
  moreSettings: 'Todos los ajustes',
  newCheck: 'Nueva comprobación',
  waiting: (name) => `${name}: esperando el primer resultado …`,
  isUp: (name) => `${name} funciona.`,
  isDown: (name) => `${name} está caído.`,
  nextPage: 'A continuación, una página de estado lo muestra a quienes dependen de ello.',
  createPage: 'Crear una página de estado',
  editCheck: 'Editar la comprobación',
};
