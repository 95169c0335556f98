import type { PageWords } from './words.ts';

export const es: PageWords = {
  skipToContent: 'Ir al contenido',
  history: 'Historial',
  subscribe: 'Suscribirse',
  backTo: (page) => `Volver a ${page}`,
  notFound: 'Página no encontrada',
  notFoundText: 'No hay nada en esta dirección. Puede que se haya eliminado o que el enlace esté incompleto.',
};
