//! Table of messages: English as in the code, and its French. Sorted by crate; a message of several
//! crates is listed with the lowest of them.
//!
//! French has a space before `:`, `;`, `!`, `?`, `%` and within « ». It is written as a plain space
//! here and becomes a no-break space when the table is read.

/// Rows of English and French. `{}` takes the values in order, `{2}` the second one.
pub(super) const TABLE: &[(&str, &str)] = &[
    ("{} of {}", "{} sur {}"),
    // record: what contained the bots
    ("{} with cgroup", "{} avec cgroup"),
    // record: how games end, and what bots and processes did
    ("ended by the rules ({})", "fin selon les règles ({})"),
    (
        "the limit of plies was reached, the score decided",
        "la limite de demi-coups est atteinte, le score a décidé",
    ),
    (
        "the time of the game was over, the score decided",
        "le temps de la partie est écoulé, le score a décidé",
    ),
    ("player {} forfeited: {}", "forfait du joueur {} : {}"),
    (
        "both forfeited: player 1: {}; player 2: {}",
        "double forfait : joueur 1 : {} ; joueur 2 : {}",
    ),
    ("void, a fault of the referee: {}", "partie annulée par la faute de l'arbitre : {}"),
    ("move late: {} where {} are allowed{}", "coup trop tardif : {} au lieu de {} au plus{}"),
    ("its time account was empty after {}{}", "son crédit de temps était épuisé après {}{}"),
    (", {} of it waiting for a core", ", dont {} à attendre un cœur"),
    (
        "starved: {} where {} are allowed, but {} of it waiting for a core",
        "privé de processeur : {} au lieu de {} au plus, mais dont {} à attendre un cœur",
    ),
    ("over {} of CPU time in the game", "plus de {} de temps de calcul dans la partie"),
    (
        "{} of CPU time during its opponent's turn, where {} are allowed",
        "{} de temps de calcul pendant le tour de l'adversaire, au lieu de {} au plus",
    ),
    (
        "{} of CPU time during its opponent's turns of the game, where {} are allowed",
        "{} de temps de calcul pendant les tours de l'adversaire dans la partie, au lieu de {} au plus",
    ),
    ("not ready within {}", "pas prêt en {}"),
    ("illegal move", "coup illégal"),
    ("a line that is not exactly one move", "une ligne qui n'est pas exactement un coup"),
    ("a line of over {} bytes", "une ligne de plus de {} octets"),
    ("a line that is not UTF-8", "une ligne qui n'est pas en UTF-8"),
    ("over {} bytes on {}", "plus de {} octets sur {}"),
    ("it wrote when it was not its turn", "il a écrit alors que ce n'était pas son tour"),
    ("it closed its output", "il a fermé sa sortie"),
    ("it {}", "il {}"),
    ("it would not start: {}", "il n'a pas pu démarrer : {}"),
    ("it did not build", "sa compilation a échoué"),
    (
        "suspended after failing too often, not played",
        "suspendu après trop d'échecs, partie non jouée",
    ),
    ("exited with code {}", "s'est terminé avec le code {}"),
    ("was ended by signal {}", "a été arrêté par le signal {}"),
    ("ended", "s'est terminé"),
    ("a Windows program; build it for Linux", "un programme pour Windows ; compilez-le pour Linux"),
    ("a macOS program; build it for Linux", "un programme pour macOS ; compilez-le pour Linux"),
    (
        "built for another processor ({}); build it for this one",
        "compilé pour un autre processeur ({}) ; compilez-le pour celui-ci",
    ),
    (
        "its loader {} is not on this machine; link it statically or build it here",
        "son chargeur {} n'est pas sur cette machine ; liez-le statiquement ou compilez-le ici",
    ),
    (
        "its first line ends with CR LF; save it with Unix line ends",
        "sa première ligne finit par CR LF ; enregistrez-le avec des fins de ligne Unix",
    ),
    (
        "it is not executable; chmod +x it",
        "il n'est pas exécutable ; rendez-le exécutable avec chmod +x",
    ),
    (
        "{} is not on this machine; install it",
        "{} n'est pas installé sur cette machine ; installez-le",
    ),
    (
        "{} is not there; check `run` in its bot.toml",
        "{} n'existe pas ; vérifiez `run` dans son bot.toml",
    ),
    ("the system refused to start it: {}", "le système a refusé de le démarrer : {}"),
    ("the machine lacks resources: {}", "la machine manque de ressources : {}"),
    ("a panic: {}", "une panique : {}"),
    ("rules ({})", "règles ({})"),
    ("limit of plies", "limite de demi-coups"),
    ("time of the game over", "temps de la partie écoulé"),
    ("both forfeited", "double forfait"),
    ("fault of the referee", "faute de l'arbitre"),
    ("move too late", "coup trop tardif"),
    ("time account empty", "crédit de temps épuisé"),
    ("too much CPU time", "trop de temps de calcul"),
    ("computed in the opponent's turns", "calcul pendant les tours de l'adversaire"),
    ("not ready in time", "pas prêt à temps"),
    ("line that is no move", "ligne qui n'est pas un coup"),
    ("line too long", "ligne trop longue"),
    ("bytes that are no text", "octets qui ne sont pas du texte"),
    ("too much output", "trop de sortie"),
    ("wrote out of turn", "a écrit hors de son tour"),
    ("closed its output", "a fermé sa sortie"),
    ("process ended", "processus terminé"),
    ("would not start", "n'a pas pu démarrer"),
    ("did not build", "compilation échouée"),
    ("suspended", "suspendu"),
    ("starved by a busy machine", "privé de processeur par une machine occupée"),
    // bot: what is wrong before the first game
    (
        "it plays {} and not {}; leave it out, or add the game to `games` in its bot.toml",
        "il joue à {} et non à {} ; laissez-le de côté, ou ajoutez le jeu à `games` dans son \
         bot.toml",
    ),
    (
        "it needs {}, which is not on this machine's PATH; install it",
        "il lui faut {}, qui n'est pas dans le PATH de cette machine ; installez-le",
    ),
    ("was not done after {}", "n'avait pas fini après {}"),
    ("said more than {} bytes", "a écrit plus de {} octets"),
    ("wrote more than {} bytes to the disk", "a écrit plus de {} octets sur le disque"),
    ("made more than {} files", "a créé plus de {} fichiers"),
    (
        "made more than {} folders within each other",
        "a créé plus de {} dossiers les uns dans les autres",
    ),
    ("used more than {} bytes of memory", "a utilisé plus de {} octets de mémoire"),
    ("ran more than {} processes and threads", "a lancé plus de {} processus et fils d'exécution"),
    (
        "left processes behind that could not be ended",
        "a laissé des processus qui n'ont pas pu être arrêtés",
    ),
    ("would not start: {}", "n'a pas pu démarrer : {}"),
    (
        "it did not build: {}\n{}the whole log is {}",
        "sa compilation a échoué : {}\n{}le journal entier est {}",
    ),
    ("it did not build: {}", "sa compilation a échoué : {}"),
    (
        "{}: it needs the network, and builds have none; {}",
        "{} : il lui faut le réseau, et une compilation n'en a pas ; {}",
    ),
    (
        "run `cargo vendor`, write what it prints into .cargo/config.toml, and hand in both with the bot",
        "lancez `cargo vendor`, écrivez ce qu'il affiche dans .cargo/config.toml, et remettez les deux avec le bot",
    ),
    (
        "run `pip download -d wheels -r requirements.txt`, hand in wheels with the bot, and build with `pip install --no-index --find-links wheels`",
        "lancez `pip download -d wheels -r requirements.txt`, remettez wheels avec le bot, et compilez avec `pip install --no-index --find-links wheels`",
    ),
    (
        "run `npm ci`, and hand in node_modules with the bot",
        "lancez `npm ci`, et remettez node_modules avec le bot",
    ),
    (
        "run `mvn -Dmaven.repo.local=repository dependency:go-offline`, hand in repository with the bot, and build with `mvn -o -Dmaven.repo.local=repository package`",
        "lancez `mvn -Dmaven.repo.local=repository dependency:go-offline`, remettez repository avec le bot, et compilez avec `mvn -o -Dmaven.repo.local=repository package`",
    ),
    (
        "put the jars into a folder libs, name them with `files('libs/…')`, hand them in with the bot, and build with `gradle --offline`",
        "mettez les jars dans un dossier libs, nommez-les avec `files('libs/…')`, remettez-les avec le bot, et compilez avec `gradle --offline`",
    ),
    (
        "run `go mod vendor`, and hand in vendor with the bot",
        "lancez `go mod vendor`, et remettez vendor avec le bot",
    ),
    (
        "hand in all that the build needs with the bot",
        "remettez avec le bot tout ce qu'il faut à sa compilation",
    ),
    // games: why a move is not legal
    ("only {} can be played", "on ne peut jouer que {}"),
    ("not one of the {} legal moves, {} …", "ce n'est pas un des {} coups légaux, {} …"),
    ("hole {} is player {}'s", "le trou {} est au joueur {}"),
    ("hole {} has no red seeds", "le trou {} n'a pas de graines rouges"),
    ("hole {} has no blue seeds", "le trou {} n'a pas de graines bleues"),
    ("hole {} has no transparent seeds", "le trou {} n'a pas de graines transparentes"),
    ("hole {} has no seeds", "le trou {} n'a pas de graines"),
    ("the sowing of hole {} never ends", "le semis du trou {} ne finit jamais"),
    (
        "hole {} captures {} seeds, and {} are laid out",
        "le trou {} capture {} graines, et {} sont posées",
    ),
    (
        "hole {} captures {} seeds, which are to be laid out",
        "le trou {} capture {} graines, qui sont à poser",
    ),
    ("hole {} captures nothing that is laid out", "le trou {} ne capture rien qui se pose"),
    (
        "several holes have the most seeds: choose one, like {}@{}",
        "plusieurs trous ont le plus de graines : choisissez-en un, comme {}@{}",
    ),
    ("hole {} leaves nothing to choose", "le trou {} ne laisse rien à choisir"),
    ("hole {} is not on player {}'s side", "le trou {} n'est pas du côté du joueur {}"),
    ("hole {} is sown as {}+ or {}-", "le trou {} se sème par {}+ ou {}-"),
    ("hole {} is sown without a direction", "le trou {} se sème sans direction"),
    (
        "pass is no move while another can be played",
        "on ne passe pas tant qu'on peut jouer autre chose",
    ),
    // report::page
    (
        "The rules of this program do not follow the record from here on: {}",
        "Les règles de ce programme ne suivent pas l'enregistrement à partir d'ici : {}",
    ),
    ("Against everyone", "Contre chacun"),
    ("All games", "Toutes les parties"),
    ("All of its games ({})", "Toutes ses parties ({})"),
    ("As player 1", "Comme joueur 1"),
    ("As player 2", "Comme joueur 2"),
    ("Best wins, by Elo of the opponents", "Meilleures victoires, selon l'Elo des adversaires"),
    ("Board", "Plateau"),
    ("Bot", "Bot"),
    ("Bots", "Bots"),
    ("Charts", "Graphiques"),
    ("Close", "Fermer"),
    ("Contents", "Sommaire"),
    ("Download the game", "Télécharger la partie"),
    ("Drawn", "Nulles"),
    ("Ending", "Fin"),
    ("Evidence against {}", "Pièces retenues contre {}"),
    ("Filter", "Filtrer"),
    ("First position", "Première position"),
    ("Flip the board", "Retourner le plateau"),
    ("Forfeits", "Forfaits"),
    ("Forfeits ({})", "Forfaits ({})"),
    ("Game", "Partie"),
    ("Games", "Parties"),
    (
        "Keys: arrows one ply, space play and pause, Home and End, f flips the board, Esc closes.",
        "Touches\u{a0}: flèches d'un coup à l'autre, espace lecture et pause, Début et Fin, f retourne le plateau, Échap ferme.",
    ),
    ("Last position", "Dernière position"),
    ("Link to this ply", "Lien vers ce coup"),
    ("Lost", "Perdues"),
    ("Move", "Joué"),
    ("Moves", "Coups"),
    ("Next", "Suivante"),
    ("Next ply", "Coup suivant"),
    ("None.", "Aucune."),
    ("Of limit", "Limite"),
    ("Opening the game", "Ouverture de la partie"),
    ("Opponent", "Adversaire"),
    ("Overview", "Vue d'ensemble"),
    ("Page {} of {}", "Page {} sur {}"),
    ("Pause", "Pause"),
    ("Play", "Lecture"),
    ("Player 1", "Joueur 1"),
    ("Player 2", "Joueur 2"),
    ("Plies", "Coups"),
    ("Plies from", "Coups de"),
    ("Ply", "Coup"),
    ("Ply {} of {}", "Coup {} sur {}"),
    ("Points", "Points"),
    ("Previous", "Précédente"),
    ("Previous ply", "Coup précédent"),
    ("Rank", "Rang"),
    ("Result", "Résultat"),
    ("Score", "Score"),
    ("Seeds", "Graines"),
    ("Score and time by ply", "Score et temps, coup par coup"),
    ("Show more", "En montrer plus"),
    ("Skip to the content", "Aller au contenu"),
    ("Speed", "Vitesse"),
    ("Standings", "Classement"),
    (
        "The file {} is missing: the folder of the games belongs beside this page.",
        "Il manque le fichier {}\u{a0}: le dossier des parties doit se trouver à côté de cette page.",
    ),
    ("The link is copied.", "Le lien est copié."),
    ("The position in words", "La position en toutes lettres"),
    ("There is no game {} here.", "Il n'y a pas de partie {} ici."),
    ("There is no such bot here.", "Il n'y a pas de tel bot ici."),
    (
        "This browser is too old to unpack the games; the tables and charts are complete.",
        "Ce navigateur est trop ancien pour décompresser les parties\u{a0}; les tableaux et les graphiques sont complets.",
    ),
    ("This game does not open", "Cette partie ne s'ouvre pas"),
    ("Time", "Temps"),
    ("Which games", "Quelles parties"),
    ("Won", "Gagnées"),
    ("Worst losses, by Elo of the opponents", "Pires défaites, selon l'Elo des adversaires"),
    ("a new lap began here", "un nouveau tour a commencé ici"),
    ("after", "après"),
    ("against {}", "contre {}"),
    ("and {} before", "et {} avant"),
    ("any bot", "tous les bots"),
    ("any ending", "toutes les fins"),
    ("any forfeit", "tous les forfaits"),
    ("any result", "tous les résultats"),
    ("blue", "bleu"),
    ("both lost", "défaite des deux"),
    ("both lost: {}", "défaite des deux\u{a0}: {}"),
    ("chance", "hasard"),
    ("child of player 1", "enfant du joueur 1"),
    ("child of player 2", "enfant du joueur 2"),
    ("closed hole", "trou fermé"),
    ("columns: time of each move", "colonnes\u{a0}: temps de chaque coup"),
    ("draw", "nulle"),
    ("draw: {}", "nulle\u{a0}: {}"),
    ("fast", "rapide"),
    (
        "games; the script that lists and replays them does not run here.",
        "parties\u{a0}; le script qui les liste et les rejoue ne s'exécute pas ici.",
    ),
    ("hole of player {}", "trou du joueur {}"),
    ("illegal because", "illégal car"),
    ("instant", "immédiate"),
    ("its process", "son processus"),
    ("judged line", "ligne jugée"),
    (
        "lead of player 1 (above the middle) or 2 (below)",
        "avance du joueur 1 (au-dessus du milieu) ou 2 (au-dessous)",
    ),
    ("locked hole", "trou verrouillé"),
    ("made by Pitmaster", "produit par Pitmaster"),
    ("normal", "normale"),
    ("player 1 won", "victoire du joueur 1"),
    ("player 2 won", "victoire du joueur 2"),
    ("player {}", "joueur {}"),
    ("ram", "bélier"),
    ("red", "rouge"),
    ("repeated", "répétée"),
    ("repeats an earlier game, move for move", "répète une partie précédente, coup pour coup"),
    ("round {}", "ronde {}"),
    ("slow", "lente"),
    ("so many captured from here", "autant de graines capturées ici"),
    ("stage {}", "phase {}"),
    ("standard error", "erreur standard"),
    ("the move began here", "le coup a commencé ici"),
    ("to", "à"),
    ("to move", "au trait"),
    ("transparent", "transparent"),
    ("what {} thinks of it, in its own scale", "ce qu'en pense {}, à sa propre échelle"),
    ("wrong claim:", "annonce fausse\u{a0}:"),
    ("{} games", "{} parties"),
    ("{} lost", "{} a perdu"),
    ("{} of {} games", "{} parties sur {}"),
    ("{} played {}", "{} a joué {}"),
    ("{} won", "{} a gagné"),
    ("{} won: {}", "{} gagne\u{a0}: {}"),
    // report: titles of columns
    ("bot", "bot"),
    ("side", "joueur"),
    ("opponent", "adversaire"),
    ("opening", "ouverture"),
    ("ending", "fin"),
    ("(all)", "(tous)"),
    ("games", "parties"),
    ("distinct", "distinctes"),
    ("wins", "victoires"),
    ("draws", "nulles"),
    ("losses", "défaites"),
    ("W-D-L", "V-N-D"),
    ("score", "score"),
    ("points", "points"),
    ("win rate", "% victoires"),
    ("low", "min"),
    ("high", "max"),
    ("95 %", "95 %"),
    ("plies", "demi-coups"),
    ("forfeits", "forfaits"),
    ("hash", "empreinte"),
    ("calls itself", "se nomme"),
    ("p", "p"),
    ("bound", "borne"),
    ("Elo", "Elo"),
    ("group", "groupe"),
    ("moves", "coups"),
    ("mean ms", "moyenne ms"),
    ("median ms", "médiane ms"),
    ("95 % ms", "95 % ms"),
    ("max ms", "max ms"),
    ("of limit", "de la limite"),
    ("at most", "au plus"),
    ("stolen ms", "volées ms"),
    // report: notes below tables
    (
        "> at least: it won every game that would show how strong it is.",
        "> au moins : il a gagné toutes les parties qui montreraient sa force.",
    ),
    (
        "< at most: it lost every game that would show how strong it is.",
        "< au plus : il a perdu toutes les parties qui montreraient sa force.",
    ),
    (
        "{} of {} games were distinct; games played again narrow no interval.",
        "{} parties distinctes sur {} ; une partie rejouée ne resserre aucun intervalle.",
    ),
    (
        "{} games were not played because a bot cannot play; they count in the points, not in Elo.",
        "{} parties non jouées, faute d'un bot capable de jouer ; elles comptent dans les points, pas dans l'Elo.",
    ),
    ("{} and {}", "{} et {}"),
    ("{} to {}", "de {} à {}"),
    (
        "All neighbours differ significantly in Elo (95 %, corrected by Holm).",
        "Tous les voisins diffèrent significativement en Elo (95 %, correction de Holm).",
    ),
    (
        "No significant difference in Elo (95 %, corrected by Holm): {}.",
        "Pas de différence d'Elo significative (95 %, correction de Holm) : {}.",
    ),
    (
        "{} groups of bots never met: Elo compares bots of one group only.",
        "{} groupes de bots ne se sont jamais rencontrés : l'Elo ne compare que les bots d'un même \
         groupe.",
    ),
    (
        "Player 1 has an advantage of {} ±{} Elo; {} % of the games between equals are draws.",
        "Le joueur 1 a un avantage de {} ±{} Elo ; {} % des parties entre égaux sont nulles.",
    ),
    (
        "How sure it is that the bot of the row is stronger than that of the column, in per cent.",
        "À quel point il est sûr que le bot de la ligne est plus fort que celui de la colonne, en \
         pour cent.",
    ),
    ("(all) is as player 1 sees it.", "(tous) : du point de vue du joueur 1."),
    ("This is as player 1 sees it.", "Du point de vue du joueur 1."),
    (
        "Games that were played before narrow no interval.",
        "Une partie déjà jouée ne resserre aucun intervalle.",
    ),
    (
        "Half of the moves took no longer than the median, 95 % no longer than 95 % ms (to half a \
         percent). Stolen: CPU time in the opponent's turns.",
        "La moitié des coups n'a pas pris plus que la médiane, 95 % pas plus que « 95 % ms » (à un \
         demi pour cent près). Volées : temps de calcul pendant les tours de l'adversaire.",
    ),
    (
        "The file does not say which moves were played: all games are taken for distinct.",
        "Le fichier ne dit pas quels coups ont été joués : toutes les parties sont tenues pour \
         distinctes.",
    ),
    (
        "Stages: {}. Who came farther stands higher, then by the games of that stage; the figures \
         are of all stages.",
        "Phases : {}. Qui est allé plus loin est mieux classé, puis selon les parties de cette \
         phase ; les chiffres sont ceux de toutes les phases.",
    ),
    (
        "A ladder lets equals meet, so Elo decides the order, not points.",
        "Une échelle fait se rencontrer des égaux : l'ordre vient donc de l'Elo, et non des points.",
    ),
    (
        "Who met whom followed from results: 95 % intervals of Elo then hold the truth less often \
         (85 in a hundred, measured for a Swiss system).",
        "Les rencontres dépendaient des résultats : les intervalles d'Elo à 95 % contiennent alors \
         moins souvent la vérité (85 fois sur cent, mesuré pour un système suisse).",
    ),
    (
        "Byes count as games won, in the points only: {}.",
        "Une exemption compte comme partie gagnée, dans les points seulement : {}.",
    ),
    (
        "Test of {} against {} ({} Elo {} to {}, alpha {}, beta {}): {}.\nLog-likelihood ratio {}, \
         from {} to {}, after {} pairs.{}",
        "Test de {} contre {} (Elo {} de {} à {}, alpha {}, bêta {}) : {}.\nLogarithme du rapport \
         de vraisemblance {}, de {} à {}, après {} paires.{}",
    ),
    (
        "{} is stronger than {}: the difference is not {} Elo or less",
        "{} est plus fort que {} : la différence n'est pas de {} Elo ou moins",
    ),
    (
        "{} is not that much stronger than {}: the difference is not {} Elo or more",
        "{} n'est pas à ce point plus fort que {} : la différence n'est pas de {} Elo ou plus",
    ),
    (
        "stopped undecided, as {} of {} pairs repeat earlier ones move for move: more of them say \
         nothing new; play with openings",
        "arrêté sans décision, car {} des {} paires en répètent une autre coup pour coup : \
         davantage n'apprendrait rien ; jouez avec des ouvertures",
    ),
    (
        "undecided after the most games that were allowed",
        "sans décision après le plus grand nombre de parties permis",
    ),
    ("not decided yet", "pas encore décidé"),
    (
        "\nUnbiased estimate of the difference in Elo: {}.",
        "\nEstimation sans biais de la différence d'Elo : {}.",
    ),
    ("{}: 1 game", "{} : 1 partie"),
    ("{}: {} games", "{} : {} parties"),
    ("game {} against {}, ply {}", "partie {} contre {}, demi-coup {}"),
    ("line: {}", "ligne : {}"),
    ("process: {}", "processus : {}"),
    ("stderr: {}", "stderr : {}"),
    (
        "Isolation: {}; the bots were not contained.",
        "Isolement : {} ; les bots n'étaient pas confinés.",
    ),
    ("Isolation: {}.", "Isolement : {}."),
    (
        "Games were played on cores that were not reserved for them: times mean less.",
        "Des parties ont été jouées sur des cœurs qui ne leur étaient pas réservés : les temps sont \
         moins sûrs.",
    ),
    (
        "The machine was busy when games began: in {} % of the time something waited for a core.",
        "La machine était occupée au début des parties : pendant {} % du temps, quelque chose \
         attendait un cœur.",
    ),
    (
        "Bots waited {} for a core, {} % of the time of their moves.",
        "Les bots ont attendu un cœur pendant {}, {} % du temps de leurs coups.",
    ),
    (
        "Replayed because a bot was late only for lack of a core (starved): {}; starved in the \
         last replay too, and counted: {}.",
        "Rejouées parce qu'un bot n'était en retard que faute de cœur : {} ; en retard de même à la \
         dernière reprise, et comptées : {}.",
    ),
    (
        "Late only for lack of a core (starved), and counted: {}.",
        "En retard seulement faute de cœur, et comptées : {}.",
    ),
    ("unknown", "inconnu"),
    ("1 game {}", "1 partie {}"),
    ("{} games {}", "{} parties {}"),
    (
        "Isolation is mixed: {}. They differ: compare with care.",
        "Isolement inégal : {}. Ils diffèrent : comparez avec prudence.",
    ),
    (
        "Isolation is mixed: {}. They differ in {}: compare with care.",
        "Isolement inégal : {}. Ils diffèrent en {} : comparez avec prudence.",
    ),
    // report: machines
    ("Workers", "Machines"),
    // report: bots that were left out
    ("Waited for a core", "Attente d'un cœur"),
    (
        "The machine was busy when games began: times are unsure.",
        "La machine était occupée au début des parties : les temps sont incertains.",
    ),
    ("Left out", "Écartés"),
    ("left out because", "écarté parce que"),
    ("left out: {}", "écarté : {}"),
    ("{} was left out: {}", "{} est écarté : {}"),
    (
        "{} more were left out; leaderboard.csv says why.",
        "{} autres sont écartés ; leaderboard.csv dit pourquoi.",
    ),
    ("{}, and {} left out", "{}, et {} écartés"),
    ("Left out, and so without games: {}.", "Écartés, donc sans partie : {}."),
    ("worker", "machine"),
    ("residual", "résidu"),
    ("overruns", "dépassements"),
    ("{} (residual {})", "{} (résidu {})"),
    (
        "Bots forfeit more often on {} than the same bots do elsewhere: `pitmaster standings RESULTS --workers` tells more, `pitmaster void` takes a machine's games out.",
        "Les bots déclarent forfait plus souvent sur {} que les mêmes bots ailleurs : `pitmaster standings RESULTS --workers` en dit plus, `pitmaster void` retire les parties d'une machine.",
    ),
    (
        "Overruns are forfeits by time: a late move or start, the game's clock, CPU time. Games that stand as forfeits unplayed are not counted.",
        "Les dépassements sont les forfaits au temps : coup ou départ tardif, pendule de la partie, temps de calcul. Les parties perdues par forfait sans être jouées ne sont pas comptées.",
    ),
    (
        "Nothing compares a machine with others: there are no others.",
        "Rien à comparer : une seule machine a joué.",
    ),
    (
        "Expected is what the same bots do wherever they play. The residual says by how many standard deviations there are more; beyond 3 a machine is suspect, and nothing stands where there is too little to tell.",
        "Attendus : ce que font les mêmes bots partout où ils jouent. Le résidu dit de combien d'écarts-types il y en a de plus ; au-delà de 3, une machine est suspecte, et rien ne figure là où il y a trop peu de parties pour conclure.",
    ),
    ("p {} (chi-square {}, {} degrees of freedom)", "p {} (khi-deux {}, {} degrés de liberté)"),
    ("Forfeits alike on all machines: {}.", "Forfaits semblables sur toutes les machines : {}."),
    (
        "Forfeits are too few to compare machines.",
        "Trop peu de forfaits pour comparer les machines.",
    ),
    (
        "Overruns alike on all machines: {}.",
        "Dépassements semblables sur toutes les machines : {}.",
    ),
    (
        "Overruns are too few to compare machines.",
        "Trop peu de dépassements pour comparer les machines.",
    ),
    ("±{}, from {} to {}", "±{}, de {} à {}"),
    ("at least {}, without an upper bound", "au moins {}, sans borne supérieure"),
    ("at most {}, without a lower bound", "au plus {}, sans borne inférieure"),
    ("without bounds", "sans bornes"),
    ("{} against {}: Elo {}; normalised {}.", "{} contre {} : Elo {} ; normalisé {}."),
    (
        "It is the stronger one with a likelihood of {}.",
        "Il est le plus fort avec une probabilité de {}.",
    ),
    (
        "Distinct pairs by its score, 0 to 2: {}; {} came out even.",
        "Paires distinctes selon son score, de 0 à 2 : {} ; {} à égalité.",
    ),
    (
        "Pairs that repeat an earlier one, not counted again: {}.",
        "Paires qui en répètent une autre, non comptées : {}.",
    ),
    (
        "Games left out for want of a partner: {}.",
        "Parties laissées de côté faute de partenaire : {}.",
    ),
    // report::charts
    ("{}: {}", "{} : {}"),
    ("Elo with 95 % intervals", "Elo avec intervalles à 95 %"),
    (
        "The dot is the rating, the line its 95 % interval; an arrow where the games set no bound on that side. A hollow dot is only a bound, a diamond an anchor, whose rating is given.",
        "Le point est le classement Elo, le trait son intervalle à 95 % ; une flèche là où les parties ne donnent pas de borne de ce côté. Un point creux n'est qu'une borne, un losange une ancre, dont l'Elo est donné.",
    ),
    ("Wins, draws, losses", "Victoires, nulles, défaites"),
    ("{} won, {} drawn, {} lost", "{} gagnées, {} nulles, {} perdues"),
    (
        "Shares of each bot's games: won at full height, drawn at middle height, lost as a low line. At the right how many were won, drawn and lost.",
        "Les parties de chaque bot : gagnées en pleine hauteur, nulles à mi-hauteur, perdues en trait bas. À droite, le nombre de parties gagnées, nulles et perdues.",
    ),
    ("share of games", "part des parties"),
    ("Cross table", "Tableau croisé"),
    (
        "A cell holds the share of the points that the bot of its row took from the bot of its column, both in the order of the standings; the darker (in a dark page: the brighter), the more.",
        "Une case montre la part des points que le bot de la ligne a prise au bot de la colonne, tous deux dans l'ordre du classement ; plus elle est foncée (sur une page sombre : claire), plus la part est grande.",
    ),
    ("In it: games won–drawn–lost.", "Dans la case : parties gagnées–nulles–perdues."),
    ("In it: that share in per cent.", "Dans la case : cette part en pour cent."),
    ("{} against {}: {} ({} %)", "{} contre {} : {} ({} %)"),
    ("share of the points", "part des points"),
    ("Rating over time", "Elo au fil des parties"),
    ("games played", "parties jouées"),
    ("Time per move", "Temps par coup"),
    (
        "How often a bot's moves took how long, on a scale on which every line is ten times the one before. The tall mark is the median, which stands at the right too; 95 % of the moves took no longer than the dot.",
        "Combien de coups d'un bot ont pris combien de temps, sur une échelle où chaque trait vaut dix fois le précédent. La grande marque est la médiane, inscrite aussi à droite ; 95 % des coups n'ont pas pris plus de temps que le point.",
    ),
    ("The dashed line is the limit of {}.", "Le trait en tirets est la limite de {}."),
    ("time for a move", "temps pour un coup"),
    ("{}: median {}, 95 % within {}", "{} : médiane {}, 95 % en {} au plus"),
    ("Game length", "Longueur des parties"),
    (
        "How many games had how many plies (moves of both sides together, the opening's too).",
        "Combien de parties ont eu combien de demi-coups (coups des deux camps ensemble, ceux de l'ouverture compris).",
    ),
    ("Hollow: games that ended by a forfeit.", "En creux : les parties terminées par un forfait."),
    ("played out", "jouées jusqu'au bout"),
    ("forfeited", "perdues par forfait"),
    ("Score difference", "Écart de score"),
    (
        "Player 1's final score minus player 2's, of games that were played out: right of 0 player 1 had more, left of it player 2.",
        "Le score final du joueur 1 moins celui du joueur 2, pour les parties jouées jusqu'au bout : à droite de 0, le joueur 1 avait plus ; à gauche, le joueur 2.",
    ),
    ("player 1 has more", "le joueur 1 a plus"),
    ("player 2 has more", "le joueur 2 a plus"),
    ("score of player 1 minus score of player 2", "score du joueur 1 moins score du joueur 2"),
    ("First-move advantage", "Avantage du joueur 1"),
    (
        "Above: all games as player 1 won, drew or lost them. Below: the share of the points that each bot took as player 1 (filled dot) and as player 2 (hollow dot).",
        "En haut : toutes les parties, gagnées, nulles ou perdues par le joueur 1. En bas : la part des points que chaque bot a prise comme joueur 1 (point plein) et comme joueur 2 (point creux).",
    ),
    ("player 1 won {} ({} %)", "joueur 1 : {} ({} %)"),
    ("{} draws ({} %)", "{} nulles ({} %)"),
    ("player 2 won {} ({} %)", "joueur 2 : {} ({} %)"),
    (
        "Player 1 took {} % of the points (95 %: {} to {}).",
        "Le joueur 1 a pris {} % des points (95 % : {} à {}).",
    ),
    ("Being player 1 is worth {} ±{} Elo.", "Être joueur 1 vaut {} ±{} Elo."),
    ("{} as player {}: {} %", "{} comme joueur {} : {} %"),
    ("Endings", "Fins de partie"),
    (
        "How many games ended how. Hollow bars are forfeits: lost by behaviour, not by play.",
        "Comment les parties se sont terminées. Les barres creuses sont des forfaits : perdues par le comportement, non par le jeu.",
    ),
    ("Knockout", "Élimination directe"),
    (
        "Every box is a match with the points of the two; who won it stands in bold and goes on to the right. Who has no box in a round had a bye.",
        "Chaque cadre est un match avec les points des deux bots ; le vainqueur est en gras et continue à droite. Qui n'a pas de cadre dans un tour était exempt.",
    ),
    ("The first rounds are left out.", "Les premiers tours sont omis."),
    ("Final", "Finale"),
    ("Semifinals", "Demi-finales"),
    ("Quarterfinals", "Quarts de finale"),
    ("Round {}", "Tour {}"),
    ("Third place", "Troisième place"),
    ("Rounds", "Tours"),
    (
        "A cell names the opponent by its number in this table, then the points of the two; below them the bot's points so far. The bar at its left is high for a match won, middling for one drawn, low for one lost.",
        "Une case nomme l'adversaire par son numéro dans ce tableau, puis les points des deux ; dessous, le total du bot jusque-là. La barre à gauche est haute pour un match gagné, moyenne pour un nul, basse pour un perdu.",
    ),
    ("Drawn are the first {} of {} bots.", "Sont dessinés les {} premiers des {} bots."),
    ("bye", "exempt"),
    ("Ladder", "Échelle"),
    (
        "The order by Elo after growing parts of the games: a line falls where others overtook its bot. A line begins where the bot had a rating.",
        "L'ordre par Elo après des parts croissantes des parties : un trait descend là où d'autres ont dépassé son bot. Un trait commence là où le bot a eu un Elo.",
    ),
    (
        "Elo, fitted anew after growing parts of the games in the plan's order; the band is the 95 % interval, on the sides where the games bound it. Named are the first {} of the standings, the thin lines are those after them.",
        "L'Elo, recalculé sur des parts croissantes des parties dans l'ordre du plan ; la bande est l'intervalle à 95 %, des côtés où les parties le bornent. Sont nommés les {} premiers du classement ; les traits fins sont les suivants.",
    ),
    // report::page: standings, overview and facts
    (
        "Rank in each tournament. The order is by the mean share of the other bots of a tournament \
         that a bot stood above.",
        "Rang dans chaque tournoi. L'ordre suit la part moyenne des autres bots d'un tournoi qu'un \
         bot a devancés.",
    ),
    ("stood above", "a devancé"),
    ("tournaments", "tournois"),
    ("results", "résultats"),
    ("wins, draws and losses", "victoires, nulles et défaites"),
    ("a tie-break, where points are equal", "un départage, à égalité de points"),
    ("direct encounter", "confrontation directe"),
    ("Buchholz", "Buchholz"),
    ("Buchholz cut 1", "Buchholz tronqué 1"),
    ("Sonneborn-Berger", "Sonneborn-Berger"),
    (
        "whether Elo differs significantly from the next row's: p, by Holm",
        "si l'Elo diffère significativement de celui de la ligne suivante : p, selon Holm",
    ),
    ("next", "suivant"),
    ("{}, {} of them distinct", "{}, dont {} distinctes"),
    ("Format", "Formule"),
    ("Limits", "Limites"),
    ("by {}", "par {}"),
    ("{} a move", "{} par coup"),
    ("an account of {} and {} a move", "un crédit de {} et {} par coup"),
    ("{} a game", "{} par partie"),
    ("{} plies", "{} demi-coups"),
    ("Course", "Déroulement"),
    ("No game has been played yet.", "Aucune partie n'a encore été jouée."),
    ("Played on {}.", "Joué le {}."),
    ("Played from {} to {}.", "Joué du {} au {}."),
    // check: levels, verdicts, scenes
    ("note", "note"),
    ("should", "risque"),
    ("must", "faute"),
    ("clean", "correct"),
    ("risky", "risqué"),
    ("broken", "fautif"),
    (
        "it is built, starts, and makes a first move",
        "il est compilé, démarre et joue un premier coup",
    ),
    (
        "whole games on both sides against house:random and house:greedy",
        "des parties entières des deux côtés contre house:random et house:greedy",
    ),
    (
        "two games in a row in one process (dialect pitmaster)",
        "deux parties de suite dans un même processus (dialecte pitmaster)",
    ),
    (
        "the opponent gives up in the middle of a game",
        "l'adversaire abandonne au milieu d'une partie",
    ),
    (
        "its input ends in the middle of a game, and of a line",
        "son entrée s'arrête au milieu d'une partie, puis d'une ligne",
    ),
    (
        "lines come byte by byte, and its answers are read late",
        "les lignes arrivent octet par octet, et ses réponses sont lues tard",
    ),
    ("the referee's lines end with CR LF", "les lignes de l'arbitre finissent par CR LF"),
    (
        "the opponent takes its time; the bot waits without computing",
        "l'adversaire prend son temps ; le bot attend sans calculer",
    ),
    (
        "a game of up to 2000 plies, against one who lets little be taken",
        "une partie de 2000 demi-coups au plus, contre qui laisse prendre peu de graines",
    ),
    (
        "a game with a tenth of the time for each move",
        "une partie avec un dixième du temps pour chaque coup",
    ),
    (
        "games against house:random, for times and memory",
        "des parties contre house:random, pour les temps et la mémoire",
    ),
    (
        "a game that shows what it tries and is refused in a contest",
        "une partie qui montre ce qu'il tente et qu'un concours refuse",
    ),
    // check: what can be found
    ("its folder or its bot.toml is wrong", "son dossier ou son bot.toml n'est pas correct"),
    ("it does not play this game", "il ne joue pas à ce jeu"),
    (
        "a command that it needs is not on this machine",
        "une commande dont il a besoin n'est pas sur cette machine",
    ),
    ("it does not build", "il ne se compile pas"),
    ("its program cannot be started", "son programme ne peut pas être démarré"),
    (
        "it does not answer the greeting or newgame in time",
        "il ne répond pas à temps à la salutation ou à newgame",
    ),
    (
        "no answer came, and no time was used: it mostly stays in a buffer",
        "pas de réponse, et pas de temps de calcul : le plus souvent elle reste dans un tampon",
    ),
    (
        "it falls silent in the middle of a game, and uses no time",
        "il se tait au milieu d'une partie, sans calculer",
    ),
    ("its answer has no end of line", "sa réponse n'a pas de fin de ligne"),
    ("it thinks longer than is allowed", "il réfléchit plus longtemps que permis"),
    (
        "it uses more CPU time in a game than it is given",
        "il consomme plus de temps de calcul dans une partie qu'il n'en reçoit",
    ),
    (
        "it ends with an error in the middle of a game",
        "il se termine sur une erreur au milieu d'une partie",
    ),
    ("it ends in the middle of a game", "il se termine au milieu d'une partie"),
    ("it closes its output in the middle of a game", "il ferme sa sortie au milieu d'une partie"),
    (
        "it prints more than its move, as for a person",
        "il affiche plus que son coup, comme pour une personne",
    ),
    (
        "it prints several words where one move is asked for",
        "il écrit plusieurs mots là où un seul coup est demandé",
    ),
    ("it speaks another dialect", "il parle un autre dialecte"),
    ("it prints a line that is no move", "il écrit une ligne qui n'est pas un coup"),
    ("it prints bytes that are no text", "il écrit des octets qui ne sont pas du texte"),
    ("it plays for the wrong side", "il joue pour le mauvais camp"),
    ("it numbers the holes from 0", "il numérote les cases à partir de 0"),
    ("its board is no longer that of the game", "son plateau n'est plus celui de la partie"),
    (
        "it plays a move that the rules do not allow",
        "il joue un coup que les règles ne permettent pas",
    ),
    ("it writes when it is not asked", "il écrit sans qu'on le lui demande"),
    ("it writes more than is read", "il écrit plus que ce qui est lu"),
    (
        "it plays its first game, but not the next one in the same process",
        "il joue sa première partie, mais pas la suivante dans le même processus",
    ),
    ("it fails when a line comes in pieces", "il échoue quand une ligne arrive en morceaux"),
    ("it fails when lines end with CR LF", "il échoue quand les lignes finissent par CR LF"),
    ("it takes no notice of a shorter limit", "il ne tient pas compte d'une limite plus courte"),
    ("its slowest move comes near the limit", "son coup le plus lent approche de la limite"),
    (
        "it does not go when a game and its input have ended",
        "il ne s'arrête pas quand la partie et son entrée sont finies",
    ),
    (
        "it ends with an error when a game is over",
        "il se termine sur une erreur quand la partie est finie",
    ),
    ("it does not go when its input ends", "il ne s'arrête pas quand son entrée finit"),
    ("it computes for ever when its input ends", "il calcule sans fin quand son entrée finit"),
    ("it crashes when its input ends", "il plante quand son entrée finit"),
    (
        "it writes when the game is over, as if it were asked",
        "il écrit quand la partie est finie, comme si on le lui demandait",
    ),
    (
        "it computes while its opponent is to move",
        "il calcule pendant que c'est à son adversaire de jouer",
    ),
    ("it writes lines that are skipped", "il écrit des lignes qui sont ignorées"),
    ("it writes very much beside its moves", "il écrit beaucoup à côté de ses coups"),
    ("it writes very much on standard error", "il écrit beaucoup sur la sortie d'erreur"),
    (
        "it says that the game is over, and it is not",
        "il dit que la partie est finie, et elle ne l'est pas",
    ),
    ("its lines end with CR LF", "ses lignes finissent par CR LF"),
    ("it writes its moves in small letters", "il écrit ses coups en minuscules"),
    ("it leaves processes behind", "il laisse des processus derrière lui"),
    ("it takes very much memory", "il prend énormément de mémoire"),
    ("it reached for the network", "il a cherché à atteindre le réseau"),
    (
        "it reached for files that are not its own",
        "il a cherché à atteindre des fichiers qui ne sont pas les siens",
    ),
    ("it tried to start processes", "il a essayé de démarrer des processus"),
    (
        "it reached for other processes, its limits or the kernel",
        "il a cherché à atteindre d'autres processus, ses limites ou le noyau",
    ),
    (
        "its game under audit did not come to its end",
        "sa partie sous audit n'est pas arrivée à sa fin",
    ),
    // check: an audit
    (
        "a game to its end, in a sandbox as in a contest",
        "une partie jusqu'à sa fin, dans un bac à sable comme dans un concours",
    ),
    (
        "see whether what it is refused there ends it; what it would have tried later was not seen",
        "regardez si ce qu'on lui refuse là l'arrête ; ce qu'il aurait tenté ensuite n'a pas été vu",
    ),
    ("it tried {}, which a contest refuses", "il a tenté {}, qu'un concours refuse"),
    (
        "leave it out, or go on when it is refused; runtimes and libraries do such things too, so \
         that this is evidence to look at and proves nothing",
        "supprimez-le, ou continuez quand c'est refusé ; des bibliothèques et des interpréteurs le \
         font aussi : c'est un indice à examiner, et cela ne prouve rien",
    ),
    (
        "no sockets: there is no network in a contest",
        "pas de sockets : il n'y a pas de réseau dans un concours",
    ),
    (
        "its own files, and the system's programs and libraries",
        "ses propres fichiers, et les programmes et bibliothèques du système",
    ),
    (
        "one process, with threads if it likes",
        "un seul processus, avec des fils d'exécution s'il veut",
    ),
    ("nothing beyond its own process", "rien au-delà de son propre processus"),
    ("`{}` once{}", "`{}` une fois{}"),
    ("`{}` {} times{}", "`{}` {} fois{}"),
    // check: from a forfeit to a finding
    (
        "at most {} of CPU time in a game, of all threads together",
        "au plus {} de temps de calcul dans une partie, tous fils d'exécution ensemble",
    ),
    (
        "at most {} of CPU time while its opponent is to move",
        "au plus {} de temps de calcul pendant les tours de l'adversaire",
    ),
    (
        "wait in a read while its opponent is to move, in every thread",
        "attendez dans une lecture pendant les tours de l'adversaire, dans tous les fils d'exécution",
    ),
    (
        "search less deeply or on fewer threads, and only while it is asked for a move",
        "cherchez moins profondément ou sur moins de fils, et seulement quand un coup est demandé",
    ),
    ("a move in UTF-8", "un coup en UTF-8"),
    (
        "print text, and nothing of memory that was never written",
        "écrivez du texte, et rien d'une mémoire jamais initialisée",
    ),
    ("a move", "un coup"),
    ("{}, which begins with \"{}\"", "{}, qui commence par \"{}\""),
    (
        "print the move and an end of line, nothing else",
        "écrivez le coup et une fin de ligne, rien d'autre",
    ),
    (
        "print one line for each move, and debugging output on standard error",
        "écrivez une ligne par coup, et les traces de débogage sur la sortie d'erreur",
    ),
    ("little on standard error", "peu de chose sur la sortie d'erreur"),
    (
        "switch debugging output off before handing in",
        "coupez les traces de débogage avant de rendre le bot",
    ),
    ("silence until it is asked", "le silence jusqu'à ce qu'un coup soit demandé"),
    ("\"{}\" before its turn", "\"{}\" avant son tour"),
    (
        "print one line for each line that asks, and wait for the next; nothing at the start",
        "écrivez une ligne pour chaque ligne qui demande un coup, puis attendez la suivante ; rien \
         au démarrage",
    ),
    (
        "keep standard output open until the end of the game",
        "gardez la sortie standard ouverte jusqu'à la fin de la partie",
    ),
    ("a program that starts", "un programme qui démarre"),
    (
        "try its `run` command in a terminal, on Linux",
        "essayez sa commande `run` dans un terminal, sous Linux",
    ),
    (
        "a bot that speaks {}, by its bot.toml or because none says more",
        "un bot qui parle {}, d'après son bot.toml ou à défaut d'indication",
    ),
    ("it answers in {}", "il répond en {}"),
    ("write dialect = \"{}\" in its bot.toml", "écrivez dialect = \"{}\" dans son bot.toml"),
    ("it {} before its first move", "il {} avant son premier coup"),
    ("it {} after its first move", "il {} après son premier coup"),
    ("it {} after {} moves", "il {} après {} coups"),
    (
        "read and answer in a loop, until the input ends. If it does, it believes that the game is \
         over: look at its board and at its rules for the end",
        "lisez et répondez en boucle, jusqu'à la fin de l'entrée. S'il le fait déjà, il croit la \
         partie finie : regardez son plateau et ses règles de fin",
    ),
    (
        "look for a bad index or pointer: build with -g -fsanitize=address and play again",
        "cherchez un indice ou un pointeur faux : compilez avec -g -fsanitize=address et rejouez",
    ),
    ("it was killed: does it take too much memory?", "il a été tué : prend-il trop de mémoire ?"),
    (
        "a command of its start script is not there",
        "une commande de son script de démarrage n'existe pas",
    ),
    (
        "print what goes wrong on standard error, and look",
        "écrivez ce qui ne va pas sur la sortie d'erreur, et regardez",
    ),
    (
        "the last lines of its standard error say why",
        "les dernières lignes de sa sortie d'erreur disent pourquoi",
    ),
    (
        "{} does not say what the limit is: put {move_ms} into `run` to be given it in \
         milliseconds, and search until a share of it; else this matters only where the limit is \
         shorter than the one it was written for",
        "{} ne dit pas la limite : mettez {move_ms} dans `run` pour la recevoir en millisecondes, \
         et cherchez pendant une part de celle-ci ; sinon, cela ne compte que là où la limite est \
         plus courte que celle pour laquelle il a été écrit",
    ),
    // check: what few games come to
    (
        "large piles and endings that no game before had, where possible",
        "de grands tas et des fins qu'aucune partie n'a eus jusque-là, si possible",
    ),
    ("a pile of more seeds than there are holes", "un tas de plus de graines qu'il n'y a de trous"),
    ("a grown pile sown as {}", "un tas qui a grandi semé par {}"),
    ("the ending {}", "la fin {}"),
    ("{}; this game had {}", "{} ; cette partie avait {}"),
    ("none of its games had: {}", "aucune de ses parties n'a eu : {}"),
    // check: scenes in bad weather
    (
        "at `newgame` set up everything anew, and stay until `quit`",
        "à `newgame`, remettez tout à neuf, et restez jusqu'à `quit`",
    ),
    (
        "read up to the end of a line, however many reads that takes: a pipe may cut lines anywhere",
        "lisez jusqu'à la fin de la ligne, quel que soit le nombre de lectures : un tube peut \
         couper les lignes n'importe où",
    ),
    (
        "cut all white space off the end of each line that it reads: other referees, and files \
         written on Windows, end lines with CR LF",
        "retirez tous les blancs à la fin de chaque ligne lue : d'autres arbitres, et les fichiers \
         écrits sous Windows, finissent les lignes par CR LF",
    ),
    (
        "search until a share of the limit it is told, not for a fixed time or depth: tournaments \
         differ",
        "cherchez pendant une part de la limite annoncée, et non pendant un temps fixe ou jusqu'à \
         une profondeur fixe : les tournois diffèrent",
    ),
    ("moves well below {}", "des coups bien au-dessous de {}"),
    ("{} for the slowest", "{} pour le plus lent"),
    (
        "stop searching at two thirds of the limit: a busy machine may take the rest",
        "arrêtez la recherche aux deux tiers de la limite : une machine chargée peut prendre le \
         reste",
    ),
    // check: how a line leaves at once
    ("fflush(stdout); after every printf", "fflush(stdout); après chaque printf"),
    (
        "std::cout << std::flush; after every line, or end lines with std::endl",
        "std::cout << std::flush; après chaque ligne, ou finissez les lignes par std::endl",
    ),
    (
        "writer.Flush() after every line, or fmt.Println without a bufio.Writer",
        "writer.Flush() après chaque ligne, ou fmt.Println sans bufio.Writer",
    ),
    ("System.out.flush(); after every line", "System.out.flush(); après chaque ligne"),
    (
        "process.stdout.write(line + \"\\n\") for every line",
        "process.stdout.write(line + \"\\n\") pour chaque ligne",
    ),
    ("print(…, flush=True)", "print(…, flush=True)"),
    ("std::io::stdout().flush() after every line", "std::io::stdout().flush() après chaque ligne"),
    ("write {}", "écrivez {}"),
    ("in Python {}; in C {}; in Java {}", "en Python {} ; en C {} ; en Java {}"),
    // check: late
    ("a move within {}", "un coup en {} au plus"),
    (
        "nothing in {}, with {} of CPU time; \"{}\" came once its input was closed",
        "rien en {}, avec {} de temps de calcul ; \"{}\" est venu quand son entrée a été fermée",
    ),
    ("the answer had stayed in a buffer", "la réponse était restée dans un tampon"),
    ("nothing in {}, with {} of CPU time", "rien en {}, avec {} de temps de calcul"),
    (
        "it was not computing, so mostly the answer has stayed in a buffer",
        "il ne calculait pas : le plus souvent, la réponse est restée dans un tampon",
    ),
    (
        "{}: flush after every line; {}. If it does, look for a read that waits for one line too \
         many",
        "{} : videz le tampon après chaque ligne ; {}. S'il le fait déjà, cherchez une lecture qui \
         attend une ligne de trop",
    ),
    (
        "nothing in {}, with {} of CPU time; {} of its moves had come",
        "rien en {}, avec {} de temps de calcul ; {} de ses coups étaient arrivés",
    ),
    (
        "its moves before did come, so look for a read that waits for a line too many, and for a \
         move that it prints without a flush",
        "ses coups précédents sont arrivés : cherchez une lecture qui attend une ligne de trop, et \
         un coup écrit sans vider le tampon",
    ),
    ("\"{}\" without an end of line", "\"{}\" sans fin de ligne"),
    (
        "end the line with \\n, and flush: a line without its end is no answer yet",
        "finissez la ligne par \\n et videz le tampon : une ligne sans sa fin n'est pas encore une \
         réponse",
    ),
    (", {} of it on a core", ", dont {} de calcul"),
    ("; its {} moves before took up to {}", " ; ses {} coups précédents ont pris jusqu'à {}"),
    ("no move after {}{}{}{}", "pas de coup après {}{}{}{}"),
    ("nothing, and a line after {}", "rien, et une ligne après {}"),
    ("; it came after {}", " ; il est venu après {}"),
    ("its line came after {}", "sa ligne est venue après {}"),
    (
        "{}; its first move includes its start: tables that are made there, or an interpreter that \
         starts slowly, take from the same limit",
        "{} ; son premier coup comprend son démarrage : les tables préparées alors, ou un \
         interpréteur lent à démarrer, prennent sur la même limite",
    ),
    (
        "search less deeply, or look at the clock while searching and stop at two thirds of the \
         limit",
        "cherchez moins profondément, ou regardez l'heure pendant la recherche et arrêtez-vous aux \
         deux tiers de la limite",
    ),
    ("`ready NAME` within {}", "`ready NAME` en {} au plus"),
    (
        "nothing; \"{}\" came once its input was closed",
        "rien ; \"{}\" est venu quand son entrée a été fermée",
    ),
    (
        "the answer had stayed in a buffer: flush after every line; {}",
        "la réponse était restée dans un tampon : videz-le après chaque ligne ; {}",
    ),
    ("\"{}\", and no `ready` after it", "\"{}\", et pas de `ready` ensuite"),
    (
        "answer the line `pitmaster 1` with `ready NAME`, and `newgame` with `ready`",
        "répondez à la ligne `pitmaster 1` par `ready NAME`, et à `newgame` par `ready`",
    ),
    ("nothing, but it was computing", "rien, mais il calculait"),
    (
        "say `ready` first and prepare later, or prepare less",
        "dites d'abord `ready` et préparez ensuite, ou préparez moins",
    ),
    ("nothing", "rien"),
    (
        "answer `pitmaster 1` with `ready NAME`, and flush: {}. If it speaks arena or course, \
         write that as `dialect` in its bot.toml",
        "répondez à `pitmaster 1` par `ready NAME`, et videz le tampon : {}. S'il parle arena ou \
         course, écrivez-le comme `dialect` dans son bot.toml",
    ),
    // check: manners
    ("{} other lines, which were skipped", "{} autres lignes, qui ont été ignorées"),
    (
        "print nothing else on standard output; standard error is free for you",
        "n'écrivez rien d'autre sur la sortie standard ; la sortie d'erreur est à vous",
    ),
    ("`ready`", "`ready`"),
    (
        "{} bytes in one turn, where {} are allowed",
        "{} octets en un tour, alors que {} sont permis",
    ),
    (
        "say less: beyond the limit the game is lost",
        "écrivez moins : au-delà de la limite, la partie est perdue",
    ),
    ("a move and a few lines of info", "un coup et quelques lignes d'info"),
    ("more than {} KiB in one game", "plus de {} Kio dans une partie"),
    (
        "switch debugging output off before handing in: beyond {} in a game it is lost, and \
         writing takes time",
        "coupez les traces de débogage avant de rendre le bot : au-delà de {} dans une partie, elle \
         est perdue, et écrire prend du temps",
    ),
    ("\"{}\" after ply {}", "\"{}\" après le demi-coup {}"),
    (
        "its board or its count differs from the game's; the referee ends the game",
        "son plateau ou son décompte diffère de celui de la partie ; c'est l'arbitre qui termine la \
         partie",
    ),
    ("no claim before the end", "pas d'annonce avant la fin"),
    ("lines that end with CR LF", "des lignes qui finissent par CR LF"),
    (
        "print \\n alone: one CR is forgiven here, other referees may not",
        "écrivez \\n seul : un CR est pardonné ici, d'autres arbitres peuvent le refuser",
    ),
    ("lines that end with LF", "des lignes qui finissent par LF"),
    (
        "write moves as the game writes them; other referees may not forgive it",
        "écrivez les coups comme le jeu les écrit ; d'autres arbitres peuvent les refuser",
    ),
    (
        "a process that it had started was still there",
        "un processus qu'il avait démarré était encore là",
    ),
    (
        "{} processes that it had started were still there",
        "{} processus qu'il avait démarrés étaient encore là",
    ),
    (
        "end what it starts before it ends itself; the referee has ended them by force",
        "terminez ce qu'il démarre avant qu'il ne finisse ; l'arbitre les a arrêtés de force",
    ),
    ("nothing left behind", "rien laissé derrière lui"),
    ("{} MiB", "{} Mio"),
    (
        "make its tables smaller: a tournament may play on a smaller machine",
        "réduisez ses tables : un tournoi peut se jouer sur une machine plus petite",
    ),
    ("at most 1024 MiB", "au plus 1024 Mio"),
    ("`quit` and the end of its input", "`quit` et la fin de son entrée"),
    ("END and the end of its input", "END et la fin de son entrée"),
    ("the end of its input", "la fin de son entrée"),
    ("that it goes after {}", "qu'il s'arrête après {}"),
    (
        "leave the loop when there is no line left to read: after 100 ms it is ended by force",
        "sortez de la boucle quand il n'y a plus de ligne à lire : après 100 ms, il est arrêté de \
         force",
    ),
    (
        "leave the loop at the end: the result counts all the same",
        "sortez de la boucle à la fin : le résultat compte quand même",
    ),
    ("`end …` is no turn: answer `go` only", "`end …` n'est pas un tour : ne répondez qu'à `go`"),
    (
        "END is no move of the opponent: stop reading there",
        "END n'est pas un coup de l'adversaire : arrêtez de lire là",
    ),
    (
        "look whether the opponent's move has ended the game",
        "vérifiez si le coup de l'adversaire a terminé la partie",
    ),
    ("\"{}\" after the end", "\"{}\" après la fin"),
    ("silence", "le silence"),
    (
        "{} of CPU time in {} of its opponent's",
        "{} de temps de calcul pendant {} de son adversaire",
    ),
    (
        "wait in a read, without asking again and again, and think in its own time: it is stopped \
         while its opponent is to move, and loses a game in which it computes then all the same",
        "attendez dans une lecture, sans interroger sans cesse, et réfléchissez pendant son propre \
         temps : il est suspendu pendant que son adversaire joue, et perd une partie où il calcule \
         alors malgré tout",
    ),
    ("a bot that waits", "un bot qui attend"),
    ("that it goes when its input ends", "qu'il s'arrête quand son entrée finit"),
    (
        "leave the loop when a read says that there is no more",
        "sortez de la boucle quand une lecture annonce qu'il n'y a plus rien",
    ),
    ("{} of CPU time in {}", "{} de temps de calcul en {}"),
    ("it was still there {} later", "il était encore là {} plus tard"),
    // check: moves
    ("one of the {} legal moves ({})", "un des {} coups légaux ({})"),
    ("{} as player {}", "{} en tant que joueur {}"),
    (
        "it was legal in its turn before. Either its board was not brought up to date: play its own \
         move and then the opponent's on it, in every turn, with captures. Or its search gives an \
         old move back, say when its time is up: look at what it prints then",
        "il était légal à son tour précédent. Ou bien son plateau n'a pas été mis à jour : jouez-y \
         à chaque tour son coup puis celui de l'adversaire, avec les prises. Ou bien sa recherche \
         rend un ancien coup, par exemple à bout de temps : regardez ce qu'il affiche alors",
    ),
    (
        "choose from the line `moves`, which lists all that is legal",
        "choisissez dans la ligne `moves`, qui donne tous les coups légaux",
    ),
    (
        "either its board differs from the game's (a rule of sowing or capturing), or the board is \
         right and its search returns a move that it has not checked. To tell which: let it print \
         its board on standard error before each move, and compare it with what `pitmaster play` \
         draws; where they are the same, it is the search",
        "ou bien son plateau diffère de celui de la partie (une règle de semis ou de prise), ou \
         bien le plateau est juste et sa recherche rend un coup qu'elle n'a pas vérifié. Pour le \
         savoir : faites-lui écrire son plateau sur la sortie d'erreur avant chaque coup, et \
         comparez-le à ce que dessine `pitmaster play` ; s'ils sont pareils, c'est la recherche",
    ),
    (
        "holes are numbered from 1: {} with a number one higher would be legal",
        "les cases sont numérotées à partir de 1 : {} avec un numéro de plus serait légal",
    ),
    (
        "the line `side 1` or `side 2` says whose moves are asked for",
        "la ligne `side 1` ou `side 2` dit de quel joueur les coups sont demandés",
    ),
    (
        "the argument {n} in `run` says whether it is player 1 or 2",
        "l'argument {n} dans `run` dit s'il est le joueur 1 ou 2",
    ),
    (
        "the argument Joueur{J} in `run` says whether it is JoueurA or JoueurB",
        "l'argument Joueur{J} dans `run` dit s'il est JoueurA ou JoueurB",
    ),
    ("that move is its opponent's: {}", "ce coup est celui de son adversaire : {}"),
    (
        "that move is its opponent's: {}; or it numbers the holes from 0, then it meant {}",
        "ce coup est celui de son adversaire : {} ; ou bien il numérote les cases à partir de 0, et \
         voulait dire {}",
    ),
    ("a line like `move {}`, and nothing else", "une ligne comme `move {}`, et rien d'autre"),
    ("a line like `{}`, and nothing else", "une ligne comme `{}`, et rien d'autre"),
    ("an empty line", "une ligne vide"),
    (": `{}` alone is right", " : `{}` seul convient"),
    (
        "a NUL byte stands in the line: print the text up to its end, not the buffer",
        "la ligne contient un octet nul : écrivez le texte jusqu'à sa fin, et non le tampon",
    ),
    (
        "in the dialect pitmaster write `move {}`; or write dialect = \"arena\" in its bot.toml if \
         it is started with its player's number, {} here",
        "dans le dialecte pitmaster, écrivez `move {}` ; ou écrivez dialect = \"arena\" dans son \
         bot.toml s'il est lancé avec le numéro de son joueur, {} ici",
    ),
    (
        "in the dialect {} the move stands alone{}",
        "dans le dialecte {}, le coup est seul sur sa ligne{}",
    ),
    ("only the dialect course announces the end", "seul le dialecte course annonce la fin"),
    (
        "print no prompt{}; prompts are for people",
        "n'écrivez pas d'invite{} ; les invites sont pour les personnes",
    ),
    ("print one move in a line{}", "écrivez un seul coup par ligne{}"),
    (
        "print nothing but the move; debugging output belongs on standard error",
        "n'écrivez rien que le coup ; les traces de débogage vont sur la sortie d'erreur",
    ),
    (
        "print no blanks or signs around the move{}",
        "n'écrivez ni blancs ni signes autour du coup{}",
    ),
    // check: what happens in a transcript
    ("its input ends here", "son entrée finit ici"),
    ("still there {} later", "encore là {} plus tard"),
    ("… and on, without an end of line", "… et ainsi de suite, sans fin de ligne"),
    ("more than {} bytes on {}", "plus de {} octets sur {}"),
    ("no line within {}; CPU {}", "pas de ligne en {} ; calcul {}"),
    // check: a bot that cannot be started
    (
        "a folder with a bot.toml, or one file that shows how to run it",
        "un dossier avec un bot.toml, ou un seul fichier qui montre comment le lancer",
    ),
    (
        "`pitmaster help protocol` shows a whole bot with its bot.toml",
        "`pitmaster help protocol` montre un bot entier avec son bot.toml",
    ),
    ("a bot for this game", "un bot pour ce jeu"),
    ("name its game with --game", "nommez son jeu avec --game"),
    ("commands that are on this machine", "des commandes présentes sur cette machine"),
    (
        "install it, or look whether its name in bot.toml is spelt right",
        "installez-la, ou vérifiez l'orthographe de son nom dans bot.toml",
    ),
    ("a build without errors", "une compilation sans erreur"),
    (
        "build it in an empty folder on Linux with the commands of its bot.toml",
        "compilez-le dans un dossier vide sous Linux avec les commandes de son bot.toml",
    ),
    (
        "build it in an empty folder on Linux with `{}`",
        "compilez-le dans un dossier vide sous Linux avec `{}`",
    ),
    ("builds have no network: {}", "une compilation n'a pas de réseau : {}"),
    ("a program that starts here", "un programme qui démarre ici"),
    ("the whole log is {}", "le journal entier est {}"),
    (
        "hand in the source with a `build` in bot.toml, or build it on Linux or in WSL",
        "rendez le source avec un `build` dans bot.toml, ou compilez-le sous Linux ou dans WSL",
    ),
    (
        "hand in the source with a `build` in bot.toml, so that it is built where it plays",
        "rendez le source avec un `build` dans bot.toml, pour qu'il soit compilé là où il joue",
    ),
    (
        "hand in the source with a `build` in bot.toml",
        "rendez le source avec un `build` dans bot.toml",
    ),
    (
        "sed -i 's/\\r$//' FILE makes Unix line ends",
        "sed -i 's/\\r$//' FICHIER met des fins de ligne Unix",
    ),
    (
        "chmod +x FILE, or name its interpreter in `run`: [\"python3\", \"bot.py\"]",
        "chmod +x FICHIER, ou nommez son interpréteur dans `run` : [\"python3\", \"bot.py\"]",
    ),
    ("install it, or name another one", "installez-le, ou nommez-en un autre"),
    (
        "look at `run` in its bot.toml, and at what its build makes",
        "regardez `run` dans son bot.toml, et ce que produit sa compilation",
    ),
    // cli: check
    ("nothing was found", "rien à signaler"),
    ("expected: {}", "attendu : {}"),
    ("came: {}", "reçu : {}"),
    ("do: {}", "à faire : {}"),
    ("Played {}.", "Jeu : {}."),
    ("verdict", "verdict"),
    ("worst ms", "pire ms"),
    ("{} was cut short: {}", "{} a été interrompu : {}"),
    ("scene: {}, seen 1 time", "scène : {}, vu 1 fois"),
    ("scene: {}, seen {} times", "scène : {}, vu {} fois"),
    ("what was said", "ce qui a été dit"),
    ("cut short", "interrompu"),
    ("99 % ms", "99 % ms"),
    ("MiB", "Mio"),
    ("first finding", "première remarque"),
    ("{} more scenes", "{} autres scènes"),
    ("{} more scenes, until this is mended", "{} autres scènes, quand ceci sera corrigé"),
    ("{} more scenes, for lack of time", "{} autres scènes, faute de temps"),
    ("interrupted", "interrompu"),
    (
        "interrupted: what was found so far follows; again to stop at once",
        "interrompu : voici ce qui a été trouvé jusqu'ici ; encore une fois pour arrêter aussitôt",
    ),
    (
        "Interrupted: this was found until then. Check {} again.",
        "Interrompu : voilà ce qui a été trouvé jusque-là. Examinez {} de nouveau.",
    ),
    (
        "{} more were not checked: it was interrupted.",
        "{} autres n'ont pas été examinés : interrompu.",
    ),
    ("Not all judged:", "Tout n'a pas été jugé :"),
    (
        "{} waited {} of {} for a core, so nothing can be said of {}. Check again when the machine \
         has nothing else to do.",
        "{} a attendu un cœur pendant {} sur {}, si bien que rien ne peut être dit de {}. Examinez \
         de nouveau quand la machine n'a rien d'autre à faire.",
    ),
    (
        "takes up to {} of bots that take {} for every move",
        "prend au plus {} pour des bots qui prennent {} à chaque coup",
    ),
    (
        "takes seconds where a bot answers at once, up to {} where all take {} for every move; \
         --quick takes half a minute",
        "prend quelques secondes si un bot répond aussitôt, jusqu'à {} si tous prennent {} à chaque \
         coup ; --quick prend une demi-minute",
    ),
    ("{}, ply {}", "{}, demi-coup {}"),
    ("{}: {} a move, about {} in all", "{} : {} par coup, environ {} en tout"),
    ("{}: {} (scene {})", "{} : {} (scène {})"),
    ("{}: {} (scenes {}; {} times)", "{} : {} (scènes {} ; {} fois)"),
    ("{}: {} (scene {}, {} times)", "{} : {} (scène {}, {} fois)"),
    ("expected", "attendu"),
    ("came", "reçu"),
    ("do", "à faire"),
    ("The check was cut short: {}", "L'examen a été interrompu : {}"),
    ("All is well but for the notes:", "Tout va bien, aux notes près :"),
    (
        "{} is ready to be handed in. Be ready to explain what the notes tell.",
        "{} est prêt à être rendu. Soyez prêt à expliquer ce que disent les notes.",
    ),
    ("All is well:", "Tout va bien :"),
    (
        "{} is ready to be handed in.\nNext: pitmaster match {} house:greedy",
        "{} est prêt à être rendu.\nEnsuite : pitmaster match {} house:greedy",
    ),
    ("Nearly there:", "Presque :"),
    ("{} plays, and one thing should be better.\n{}", "{} joue, et un point est à améliorer.\n{}"),
    (
        "{} plays, and {} things should be better.\n{}",
        "{} joue, et {} points sont à améliorer.\n{}",
    ),
    ("Not yet:", "Pas encore :"),
    (
        "one thing must be otherwise before {} can be handed in.\n{}",
        "un point est à corriger avant de rendre {}.\n{}",
    ),
    (
        "{} things must be otherwise before {} can be handed in.\n{}",
        "{} points sont à corriger avant de rendre {}.\n{}",
    ),
    ("Next: mend it, and check again.", "Ensuite : corrigez-le, et examinez de nouveau."),
    (
        "Next: mend the first one, and check again: others often go with it.",
        "Ensuite : corrigez le premier, et examinez de nouveau : d'autres disparaissent souvent \
         avec lui.",
    ),
    (
        "`pitmaster check` with one bot tells what was said and what to do.",
        "`pitmaster check` avec un seul bot dit ce qui s'est échangé et ce qu'il faut faire.",
    ),
    ("✓ ok", "✓ bon"),
    ("· note", "· note"),
    ("! should", "! risque"),
    ("✗ must", "✗ faute"),
    ("- skip", "- omise"),
    ("? open", "? ouvert"),
    (
        "{} games against house:random: {} won, {} drawn, {} lost",
        "{} parties contre house:random : {} gagnées, {} nulles, {} perdues",
    ),
    ("memory at most: {} MiB", "mémoire au plus : {} Mio"),
    ("the same seed gives the same game", "la même graine donne la même partie"),
    (
        "the same seed gives another game: that is fair, and makes mistakes hard to find again",
        "la même graine donne une autre partie : c'est permis, et rend les erreurs difficiles à \
         retrouver",
    ),
    (
        "time of a move: median {}, 99 % {}, worst {} ({} moves)",
        "temps d'un coup : médiane {}, 99 % {}, pire {} ({} coups)",
    ),
    ("{} of {}: {}: {}", "{} sur {} : {} : {}"),
    // cli: new
    (
        "made {}: a bot in {} that plays coloured Awale",
        "{} : un bot en {} qui joue à l'awalé coloré",
    ),
    ("made {}: a bot in {} that plays {}", "{} : un bot en {} qui joue à {}"),
    (
        "made {}: a bot in {} that knows no rules yet",
        "{} : un bot en {} qui ne connaît pas encore de règles",
    ),
    ("Next:", "Ensuite :"),
    ("README.md in it says what to change first.", "Son README.md dit par quoi commencer."),
    (
        "made {}: a contest of coloured Awale\n\n\
         Next:\n  \
         pitmaster new python {}/bots/first    or whatever has been handed in\n  \
         cd {}\n  \
         pitmaster check bots/*/                     what is wrong with each bot\n  \
         pitmaster run contest.toml                  play, or go on\n\n\
         README.md in it says the rest.",
        "{} : un concours d'awalé coloré\n\n\
         Ensuite :\n  \
         pitmaster new python {}/bots/first    ou ce qui a été rendu\n  \
         cd {}\n  \
         pitmaster check bots/*/                     ce qui ne va pas dans chaque bot\n  \
         pitmaster run contest.toml                  jouer, ou continuer\n\n\
         Son README.md dit le reste.",
    ),
    // kits: the README of a bot
    ("A bot in C", "Un bot en C"),
    ("A bot in C++", "Un bot en C++"),
    ("A bot in Go", "Un bot en Go"),
    ("A bot in Java", "Un bot en Java"),
    ("A bot in JavaScript", "Un bot en JavaScript"),
    ("A bot in Python", "Un bot en Python"),
    ("A bot in Rust", "Un bot en Rust"),
    (
        "It plays coloured Awale: it looks up to four moves ahead and counts the seeds that were \
         taken. In other games it plays the first legal move.",
        "Il joue à l'awalé coloré : il regarde jusqu'à quatre coups à l'avance et compte les \
         graines prises. Aux autres jeux, il joue le premier coup légal.",
    ),
    (
        "It plays Kalah: it looks up to four moves ahead and counts the seeds in the stores. In \
         other games it plays the first legal move.",
        "Il joue au kalah : il regarde jusqu'à quatre coups à l'avance et compte les graines des \
         greniers. Aux autres jeux, il joue le premier coup légal.",
    ),
    ("file", "fichier"),
    ("what it is", "ce que c'est"),
    ("which move to play: **the file to change**", "quel coup jouer : **le fichier à modifier**"),
    (
        "the rules: a board, its legal moves, playing one, the end",
        "les règles : un plateau, ses coups légaux, en jouer un, la fin",
    ),
    (
        "hears the referee and answers; nobody needs to change it",
        "écoute l'arbitre et répond ; personne n'a besoin d'y toucher",
    ),
    ("tests of the rules and of the thinking", "les tests des règles et de la réflexion"),
    (
        "how it is built; new files with the ending {} belong to it at once",
        "comment il est compilé ; les nouveaux fichiers en {} en font partie d'office",
    ),
    ("how it is built", "comment il est compilé"),
    ("which files there are", "quels fichiers il y a"),
    (
        "the bot's name, and how it is built and run",
        "le nom du bot, et comment il est compilé et lancé",
    ),
    ("the bot's name, and how it is run", "le nom du bot, et comment il est lancé"),
    ("Ten minutes", "Dix minutes"),
    ("Test it, in this folder:", "Le tester, dans ce dossier :"),
    (
        "Check it and watch a game, in the folder above. Pitmaster builds it by itself:",
        "L'examiner et regarder une partie, dans le dossier au-dessus. Pitmaster le compile \
         lui-même :",
    ),
    (
        "Check it and watch a game, in the folder above:",
        "L'examiner et regarder une partie, dans le dossier au-dessus :",
    ),
    (
        "Now a first idea of your own. {} in {} says what a board is worth, and it knows nothing \
         but the seeds that were taken. Let it count the legal moves of the player to move as \
         well, for example: who has many can choose. Keep a copy of the bot as it is, change it, \
         and let both meet:",
        "Maintenant, une première idée à vous. {} dans {} dit ce que vaut un plateau, et ne connaît \
         que les graines prises. Faites-lui compter aussi les coups légaux du joueur au trait, par \
         exemple : qui en a beaucoup peut choisir. Gardez une copie du bot tel quel, modifiez-le, \
         et opposez les deux :",
    ),
    (
        "Now a first idea of your own. {} in {} says what a board is worth, and it knows nothing \
         but the seeds in the stores. Let it count the legal moves of the player to move as well, \
         for example: who has many can choose. Keep a copy of the bot as it is, change it, and let \
         both meet:",
        "Maintenant, une première idée à vous. {} dans {} dit ce que vaut un plateau, et ne connaît \
         que les graines des greniers. Faites-lui compter aussi les coups légaux du joueur au \
         trait, par exemple : qui en a beaucoup peut choisir. Gardez une copie du bot tel quel, \
         modifiez-le, et opposez les deux :",
    ),
    ("What next", "Et ensuite"),
    (
        "Raise {}. The clock ends the search in time, whatever it is.",
        "Augmentez {}. L'horloge arrête la recherche à temps, quelle que soit sa valeur.",
    ),
    (
        "Look at the moves first that take most: the search then cuts off more.",
        "Regardez d'abord les coups qui prennent le plus : la recherche élague alors davantage.",
    ),
    (
        "Think of the seeds on the own side, of holes with one or two seeds that can be taken, of \
         what is left when few seeds are on the board.",
        "Pensez aux graines de son propre côté, aux cases d'une ou deux graines qui peuvent être \
         prises, à ce qui reste quand il y a peu de graines sur le plateau.",
    ),
    (
        "{} in {} makes the start short. Try without it when the search takes long.",
        "{} dans {} raccourcit le démarrage. Essayez sans quand la recherche est longue.",
    ),
    (
        "Print nothing on standard output: the referee reads it. Standard error is yours, with {}.",
        "N'écrivez rien sur la sortie standard : l'arbitre la lit. La sortie d'erreur est à vous, \
         avec {}.",
    ),
    (
        "Print nothing on standard output: the referee reads it. Standard error is yours.",
        "N'écrivez rien sur la sortie standard : l'arbitre la lit. La sortie d'erreur est à vous.",
    ),
    (
        "{} tells all about the wire. Started with its player number, {} (after {}), it speaks the \
         dialect {}: type {}, then moves of player 2 such as {}. For a contest in that dialect \
         write this in {}:",
        "{} dit tout de l'échange avec l'arbitre. Lancé avec son numéro de joueur, {} (après {}), \
         il parle le dialecte {} : tapez {}, puis des coups du joueur 2 comme {}. Pour un concours \
         dans ce dialecte, écrivez ceci dans {} :",
    ),
    (
        "{} tells all about the wire. Started with its player number, {}, it speaks the dialect \
         {}: type {}, then moves of player 2 such as {}. For a contest in that dialect write this \
         in {}:",
        "{} dit tout de l'échange avec l'arbitre. Lancé avec son numéro de joueur, {}, il parle le \
         dialecte {} : tapez {}, puis des coups du joueur 2 comme {}. Pour un concours dans ce \
         dialecte, écrivez ceci dans {} :",
    ),
    (
        "All of this is free to copy and to change, without conditions (0BSD).",
        "Tout ceci peut être copié et modifié librement, sans conditions (0BSD).",
    ),
    // kits: a bot without rules
    ("A bot without rules", "Un bot sans règles"),
    (
        "It plays the first of the moves that the referee lists, in any game. The rules are for \
         you to write.",
        "Il joue le premier des coups que l'arbitre énumère, à n'importe quel jeu. Les règles sont \
         à écrire par vous.",
    ),
    (
        "Now let it take the last of the listed moves instead of the first, and play again.",
        "Faites-lui maintenant choisir le dernier des coups énumérés au lieu du premier, et rejouez.",
    ),
    ("The rules", "Les règles"),
    (
        "The list of moves says what is legal, but not what a move does. For that the bot needs a \
         board of its own, in a new file beside {}:",
        "La liste des coups dit ce qui est légal, mais non ce que fait un coup. Pour cela, il faut \
         au bot un plateau à lui, dans un nouveau fichier à côté de {} :",
    ),
    (
        "a board as it is at the start of the game, and a copy of one;",
        "un plateau tel qu'il est au début de la partie, et une copie d'un plateau ;",
    ),
    (
        "playing a move on it; tell it every move in {}, the own ones come there too;",
        "y jouer un coup ; donnez-lui chaque coup dans {}, les siens y arrivent aussi ;",
    ),
    (
        "the legal moves: compare them with {} in {}, they are the same in every turn;",
        "les coups légaux : comparez-les avec {} dans {}, ce sont les mêmes à chaque tour ;",
    ),
    (
        "whether the game is over, and what each side has.",
        "si la partie est finie, et ce que chaque joueur a pris.",
    ),
    (
        "{} tells the rules. To see that yours are right, count all sequences of four moves from \
         the start, and compare:",
        "{} dit les règles. Pour voir si les vôtres sont justes, comptez toutes les suites de \
         quatre coups depuis le début, et comparez :",
    ),
    (
        "Then look ahead: play each move on a copy, let the opponent answer, and take what leaves \
         you best.",
        "Puis regardez à l'avance : jouez chaque coup sur une copie, faites répondre l'adversaire, \
         et choisissez ce qui vous laisse le mieux placé.",
    ),
    (
        "In the dialect {}, which {} names, the moves are always listed. In {} they are not, and \
         there the bot ends with a message until it has rules; {} tells all about both.",
        "Dans le dialecte {}, que nomme {}, les coups sont toujours énumérés. Dans {} ils ne le \
         sont pas, et le bot y finit sur un message tant qu'il n'a pas de règles ; {} dit tout des \
         deux.",
    ),
    // kits: a contest
    ("A contest", "Un concours"),
    ("what", "quoi"),
    ("where", "où"),
    (
        "the rules of the contest: game, clocks, pairs",
        "les règles du concours : jeu, horloges, paires",
    ),
    ("one folder for each bot that was handed in", "un dossier pour chaque bot rendu"),
    ("what whoever hands in has to know", "ce que doit savoir qui rend un bot"),
    ("what came of it", "ce qu'il en est sorti"),
    (
        "Say all of this in this folder. Bots run in a sandbox, without network and without your \
         files; {} says what it can promise on this machine.",
        "Tapez tout ceci dans ce dossier. Les bots tournent dans un bac à sable, sans réseau et \
         sans vos fichiers ; {} dit ce qu'il peut promettre sur cette machine.",
    ),
    ("Before", "Avant"),
    (
        "What is wrong with the bots, and what has to be done about it:",
        "Ce qui ne va pas dans les bots, et ce qu'il faut y faire :",
    ),
    (
        "What they run with has to be on this machine, their compilers too. Bots are copied and \
         built before the first game; what lies in {} is never changed.",
        "Ce qu'il leur faut pour tourner doit être sur cette machine, leurs compilateurs aussi. \
         Les bots sont copiés et compilés avant la première partie ; ce qui est dans {} n'est \
         jamais modifié.",
    ),
    ("Playing", "Jouer"),
    (
        "Ctrl-C ends it after the running games. The same command goes on where it was: whenever \
         it was stopped, by a crash of the machine too, and when bots were added, replaced or \
         taken away, which costs only their own games. {} begins nothing new after that time of \
         day, {} plays four games at once if the machine has the cores.",
        "Ctrl-C l'arrête après les parties en cours. La même commande reprend où elle en était : \
         quel que soit l'arrêt, même par une panne de la machine, et quand des bots ont été \
         ajoutés, remplacés ou retirés, ce qui ne coûte que leurs propres parties. {} ne commence \
         rien après cette heure, {} joue quatre parties à la fois si la machine a assez de cœurs.",
    ),
    (
        "House bot {} takes part as a measure, with an Elo of 1500 that is held. It needs no bot \
         more than one to begin.",
        "Le bot de la maison {} participe comme étalon, avec un Elo fixé à 1500. Un seul autre bot \
         suffit pour commencer.",
    ),
    ("Afterwards", "Après"),
    ("file in {}", "fichier dans {}"),
    ("what it holds", "ce qu'il contient"),
    (
        "a line a bot: points, Elo, their intervals, forfeits",
        "une ligne par bot : points, Elo, leurs intervalles, forfaits",
    ),
    (
        "a line a game: who, result, why it ended",
        "une ligne par partie : qui, résultat, pourquoi elle a fini",
    ),
    ("what each took from each other", "ce que chacun a pris à chaque autre"),
    (
        "every bot as it was handed in, with the log of its build",
        "chaque bot tel qu'il a été rendu, avec le journal de sa compilation",
    ),
    (
        "The same seed and the same bots, if these are deterministic, give the same files. To \
         begin anew beside old results: {}.",
        "La même graine et les mêmes bots, s'ils sont déterministes, donnent les mêmes fichiers. \
         Pour recommencer à côté d'anciens résultats : {}.",
    ),
    // kits: what to hand in
    ("What to hand in", "Ce qu'il faut rendre"),
    (
        "A folder of your own in here, with your bot in it: its sources, and a {} that says how it \
         is built and run. Nothing has to be built before. The folder's name is the bot's name, \
         unless the {} gives it another one: letters a to z, digits, {}, {} and {}, up to 40 of \
         them.",
        "Un dossier à vous ici, avec votre bot dedans : ses sources, et un {} qui dit comment il \
         est compilé et lancé. Rien n'est à compiler avant. Le nom du dossier est le nom du bot, à \
         moins que le {} ne lui en donne un autre : lettres de a à z, chiffres, {}, {} et {}, 40 au \
         plus.",
    ),
    (
        "To begin with, and to see whether all is well:",
        "Pour commencer, et pour voir si tout va bien :",
    ),
    (
        "Instead of {} there are {}, {}, {}, {}, {} and {}; any other language is as good, and {} \
         says what a bot hears and answers. What counts here is in {}: the game, the time for a \
         move, how often two bots meet.",
        "Au lieu de {}, il y a {}, {}, {}, {}, {} et {} ; tout autre langage convient aussi, et {} \
         dit ce qu'un bot entend et répond. Ce qui compte ici est dans {} : le jeu, le temps par \
         coup, le nombre de rencontres entre deux bots.",
    ),
    (
        "Only the standard library, unless you were told otherwise. There is no network.",
        "La bibliothèque standard seulement, sauf indication contraire. Il n'y a pas de réseau.",
    ),
    (
        "Print nothing but your answers on standard output, and flush it after every line. \
         Standard error is yours.",
        "N'écrivez que vos réponses sur la sortie standard, et videz le tampon après chaque ligne. \
         La sortie d'erreur est à vous.",
    ),
    (
        "A bot that crashes, is late or plays what is not legal loses that game.",
        "Un bot qui plante, qui dépasse le temps ou qui joue un coup illégal perd cette partie.",
    ),
];
