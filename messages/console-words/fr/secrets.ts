import type { SecretsWords } from '../words/secrets.ts';

export const secrets: SecretsWords = {
  title: 'Secrets',
  text: 'Des valeurs que les scripts des vérifications lisent sans que personne ne les voie.',
  none: 'Il n’y a pas encore de secret',
  noneText: 'Déposez ici un jeton ou un mot de passe, et liez-le à une vérification dont le script en a besoin.',
  create: 'Nouveau secret',
  name: 'Nom',
  nameHint: 'Lettres, chiffres, tirets bas, points et traits d’union. Il ne peut pas être modifié ensuite.',
  value: 'Valeur',
  newValue: 'Nouvelle valeur',
  valueHint: 'Elle n’est plus affichée ensuite.',
  replace: 'Remplacer la valeur',
  replaceText: 'Les exécutions qui commencent ensuite lisent la nouvelle valeur.',
  replaced: (name) => `La valeur de ${name} est remplacée.`,
  deleteTitle: (name) => `Supprimer ${name} ?`,
  deleteText:
    'Sa valeur est oubliée partout. Cette action est irréversible. Tant que des vérifications l’utilisent, il reste, et leurs noms sont affichés.',
  updated: 'Valeur définie',
};
