import type { PageWords } from './words.ts';

export const fr: PageWords = {
  skipToContent: 'Aller au contenu',
  history: 'Historique',
  subscribe: 'S’abonner',
  backTo: (page) => `Retour à ${page}`,
  notFound: 'Page introuvable',
  notFoundText: 'Il n’y a rien à cette adresse. La page a peut-être été supprimée, ou le lien est incomplet.',
};
