import { plurals } from '../../words/plurals.ts';
import type { CheckStartWords } from '../words/check-start.ts';

const days = plurals('fr', { one: 'jour', other: 'jours' });

export const checkStart: CheckStartWords = {
  question: 'Que faut-il surveiller ?',
  example: 'Par exemple shop.example.com, https://api.example.com/health, db.example.com:5432',
  address: 'Adresse',
  unclear: 'Saisissez une URL, un hôte avec ou sans port, ou une adresse IP.',
  proposal: 'Voici ce qui sera surveillé',
  name: 'Nom',
  type: 'Type',
  keyword: 'Texte qui doit être présent',
  keywordHint: 'Un mot de la page ou de la réponse, afin qu’une page d’erreur compte comme une panne.',
  certificate: 'Certificat',
  certificateDays: (count) => `doit être valable encore ${days(count)}`,
  every: 'S’exécute toutes les',
  submit: 'Commencer la surveillance',
  moreSettings: 'Tous les réglages',
  newCheck: 'Nouvelle vérification',
  waiting: (name) => `${name} : en attente du premier résultat …`,
  isUp: (name) => `${name} fonctionne.`,
  isDown: (name) => `${name} est en panne.`,
  nextPage: 'Ensuite, une page de statut le montre à ceux qui en dépendent.',
  createPage: 'Créer une page de statut',
  editCheck: 'Modifier la vérification',
};
