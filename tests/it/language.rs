//! French output, for all ways to request it.

use crate::contest::patient;
use crate::scratch::{Ran, Scratch};

/// Makes no-break spaces visible.
fn shown(text: &str) -> String {
    text.replace('\u{a0}', "_")
}

/// Runs with these environment variables and no others that select a language.
fn run_in(scratch: &Scratch, locale: &[(&str, &str)], args: &str) -> Ran {
    let mut command = scratch.command(args);
    command.env_remove("LC_ALL").env_remove("LC_MESSAGES").env_remove("LANG");
    command.envs(locale.iter().copied());
    scratch.ran(command.output().expect("the binary starts"))
}

#[test]
fn a_hostile_bot_is_checked_in_french() {
    let scratch = Scratch::new();
    let flags = "--per-move 20s --first-move 60s --start-up 60s --games 2";
    let ran = scratch.run(&format!("check bots/hostile/prompt --lang fr {flags}"));
    insta::assert_snapshot!(shown(&ran.all()), @r#"
    exit 1
    --- stdout
    prompt ([hash]), Python, dialect arena, coloured-awale

      ✗ faute   start         il est compilé, démarre et joue un premier coup_: prompt
      ✗ faute   games         des parties entières des deux côtés contre house:random et house:greedy_: prompt
      - omise   10 autres scènes, quand ceci sera corrigé

    FAUTE prompt_: il affiche plus que son coup, comme pour une personne (scènes start, games_; 3 fois)
      attendu   une ligne comme `1R`, et rien d'autre
      reçu      "Your move: 1R"
      à faire   n'écrivez pas d'invite_: `1R` seul convient_; les invites sont pour les personnes
        > START
        < Your move: 1R
        > END
        < Your move: 1R

    Pas encore_: un point est à corriger avant de rendre prompt.
    Ensuite_: corrigez-le, et examinez de nouveau.
    --- stderr
    prend quelques secondes si un bot répond aussitôt, jusqu'à [time] si tous prennent [time] à chaque coup_; --quick prend une demi-minute
    "#);
}

#[test]
fn findings_are_told_in_french_in_every_form_for_people() {
    let scratch = Scratch::new();
    let bots = "bots/hostile/windows-program bots/hostile/does-not-build bots/hostile/missing-tool";
    let table = scratch.run(&format!("check {bots} --lang fr"));
    insta::assert_snapshot!(shown(&table.stdout), @"
    bot              verdict  faute  risque  V-N-D  médiane ms  99_% ms  pire ms  Mio  première remarque
    windows-program  fautif       1       0                                            would-not-start
    does-not-build   fautif       1       0                                            does-not-build
    missing-tool     fautif       1       0                                            missing-tool

    bots/hostile/windows-program
      faute   son programme ne peut pas être démarré_: un programme pour Windows_; compilez-le pour Linux

    bots/hostile/does-not-build
      faute   il ne se compile pas_: `cc -o bot bot.c` s'est terminé avec le code 1

    bots/hostile/missing-tool
      faute   une commande dont il a besoin n'est pas sur cette machine_: il lui faut pitmaster-no-such-tool, qui n'est pas dans le PATH de cette machine_; installez-le

    `pitmaster check` avec un seul bot montre ce qui s'est échangé et ce qu'il faut faire.
    ");
    let flags = "--per-move 20s --first-move 60s --start-up 60s --games 2 --lang fr";
    let markdown = scratch.run(&format!("check bots/hostile/prompt --format markdown {flags}"));
    insta::assert_snapshot!(shown(&markdown.stdout), @r#"
    # pitmaster check

    Jeu_: coloured-awale.

    | bot | verdict | faute | risque | V-N-D | pire ms |
    |---|---|---:|---:|---:|---:|
    | prompt | fautif | 1 | 0 |  |  |

    ## prompt

    ### faute_: il affiche plus que son coup, comme pour une personne

    - scène_: start, games, vu 3 fois
    - attendu_: une ligne comme \`1R\`, et rien d'autre
    - reçu_: "Your move: 1R"
    - à faire_: n'écrivez pas d'invite_: \`1R\` seul convient_; les invites sont pour les personnes

    <details><summary>ce qui a été dit</summary>

        > START
        < Your move: 1R
        > END
        < Your move: 1R

    </details>
    "#);
    let bot = "bots/hostile/missing-tool";
    let github = scratch.run(&format!("check {bot} --lang fr --format github"));
    insta::assert_snapshot!(shown(&github.stdout), @"::error file=bots/hostile/missing-tool/bot.toml,title=missing-tool%3A missing-tool::une commande dont il a besoin n'est pas sur cette machine%0Aattendu_: des commandes présentes sur cette machine%0Areçu_: il lui faut pitmaster-no-such-tool, qui n'est pas dans le PATH de cette machine_; installez-le%0Aà faire_: installez-la, ou vérifiez l'orthographe de son nom dans bot.toml");
    for form in ["json", "csv"] {
        let in_both = ["fr", "en"].map(|lang| {
            let ran = scratch.run(&format!("check {bot} --format {form} --lang {lang}"));
            ran.stdout
        });
        assert_eq!(in_both[0], in_both[1], "{form}");
    }
}

#[test]
fn a_good_bot_is_praised_in_french() {
    let scratch = Scratch::new();
    let flags = "--per-move 20s --first-move 60s --start-up 60s --games 2";
    let ran =
        run_in(&scratch, &[("LANG", "fr_FR.UTF-8")], &format!("check bots/greedy-python {flags}"));
    let with_times =
        |line: &&str| !["temps d'un coup", "mémoire", "aucune"].iter().any(|w| line.starts_with(w));
    let text: Vec<_> = ran.stdout.lines().filter(with_times).collect();
    insta::assert_snapshot!(shown(&text.join("\n")), @"
    greedy-python ([hash]), Python, dialect pitmaster, coloured-awale

      ✓ bon     start         il est compilé, démarre et joue un premier coup
      ✓ bon     games         des parties entières des deux côtés contre house:random et house:greedy
      ✓ bon     second-game   deux parties de suite dans un même processus (dialecte pitmaster)
      ✓ bon     early-end     l'adversaire abandonne au milieu d'une partie
      ✓ bon     sudden-end    son entrée s'arrête au milieu d'une partie, puis d'une ligne
      ✓ bon     pieces        les lignes arrivent octet par octet, et ses réponses sont lues tard
      ✓ bon     crlf          les lignes de l'arbitre finissent par CR LF
      ✓ bon     patience      l'adversaire prend son temps_; le bot attend sans calculer
      ✓ bon     long-game     une partie de 2000 demi-coups au plus, contre qui laisse prendre peu de graines
      ✓ bon     tight-clock   une partie avec un dixième du temps pour chaque coup
      ✓ bon     series        des parties contre house:random, pour les temps et la mémoire
      ✓ bon     rare          de grands tas et des fins qu'aucune partie n'a eus jusque-là, si possible

    2 parties contre house:random_: 2 gagnées, 0 nulles, 0 perdues
    la même graine donne la même partie

    Tout va bien_: greedy-python est prêt à être rendu.
    Ensuite_: pitmaster match bots/greedy-python house:greedy
    ");
}

#[test]
fn standings_are_told_in_french_and_files_stay_as_they_are() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("cheat", "illegal");
    let file = patient(2).replace("seed = 7", "title = 'Coupe d’été'\nseed = 7");
    let entry = "[[bot]]\npath = 'own/dice'\ndisplay = 'Éloïse Ñandú'\n";
    scratch.write("cup.toml", file + entry).run("run cup.toml -q").done();
    let french = |args: &str| {
        let ran = run_in(&scratch, &[("LC_ALL", ""), ("LC_MESSAGES", "fr_CA")], args).done();
        shown(&String::from_utf8(ran.raw.stdout).expect("UTF-8"))
    };
    insta::assert_snapshot!(french("standings results/cup"), @"
    Coupe d’été
    #  bot    parties  distinctes  V-N-D  points  % victoires    95_%    Elo          ±  forfaits
    1  first        8           6  8-0-0    8,00      100,0 %  61–100  >1961  -319 +869
    2  dice         8           7  4-0-4    4,00       50,0 %   20–80   1482       ±349
    3  cheat        8           5  0-0-8    0,00        0,0 %    0–43  <1056  -880 +328         8
    > ou <_: il a gagné, ou perdu, toutes les parties qui borneraient son Elo_; la dispersion de tous les bots fixe la borne.
    L'Elo ne départage pas les rangs d'un groupe (95_%)_: 1–2, 2–3.
    9 parties distinctes sur 12_; une partie rejouée ne resserre aucun intervalle.
    Isolement_: portable.
    ");
    let columns = "--format markdown --columns rank,display,points,win_rate";
    insta::assert_snapshot!(french(&format!("standings results/cup {columns}")), @r#"
    **Coupe d’été**

    | # | se nomme | points | % victoires |
    | --: | :-- | --: | --: |
    | 1 | first | 8,00 | 100,0 % |
    | 2 | Éloïse Ñandú | 4,00 | 50,0 % |
    | 3 | cheat | 0,00 | 0,0 % |

    \> ou \<_: il a gagné, ou perdu, toutes les parties qui borneraient son Elo_; la dispersion de tous les bots fixe la borne.

    L'Elo ne départage pas les rangs d'un groupe (95_%)_: 1–2, 2–3.

    9 parties distinctes sur 12_; une partie rejouée ne resserre aucun intervalle.

    Isolement_: portable.
    "#);
    insta::assert_snapshot!(french("standings results/cup --by side"), @"
    Coupe d’été
    bot     joueur  parties  distinctes  V-N-D    score  % victoires    95_%  demi-coups  forfaits
    (tous)       1       12           9  6-0-6   50,0 %       50,0 %   23–77        40,3         4
    (tous)       2       12           9  6-0-6   50,0 %       50,0 %   23–77        40,3         4
    first        1        4           3  4-0-0  100,0 %      100,0 %  44–100        60,5
    first        2        4           3  4-0-0  100,0 %      100,0 %  44–100        60,0
    dice         1        4           4  2-0-2   50,0 %       50,0 %   15–85        60,5
    dice         2        4           3  2-0-2   50,0 %       50,0 %   13–87        60,0
    cheat        1        4           2  0-0-4    0,0 %        0,0 %    0–66         0,0         4
    cheat        2        4           3  0-0-4    0,0 %        0,0 %    0–56         1,0         4
    Une partie déjà jouée ne resserre aucun intervalle.
    Isolement_: portable.
    ");
    assert!(french("standings results/cup --forfeits").contains("illegal-move_: 8 parties"));
    for form in ["csv", "json"] {
        let args = format!("standings results/cup --format {form}");
        let english = scratch.run(&args).done().raw.stdout;
        assert_eq!(french(&args), shown(&String::from_utf8(english).expect("UTF-8")), "{form}");
    }
}

#[test]
fn a_file_of_games_may_have_any_names() {
    let scratch = Scratch::new();
    let games = "player1,player2,result\néloïse,Ñandú,1-0\nÑandú,éloïse,1/2-1/2\n";
    scratch.write("parties.csv", games);
    let ran = scratch.run("standings parties.csv --lang fr").done();
    insta::assert_snapshot!(shown(&String::from_utf8(ran.raw.stdout).expect("UTF-8")), @"
    #  bot     parties  V-N-D  points  % victoires  95_%   Elo          ±  forfaits
    1  éloïse        2  1-1-0    1,50       50,0 %  9–91  1642  -316 +521
    2  Ñandú         2  0-1-1    0,50        0,0 %  0–66  1358  -521 +316
    L'Elo ne départage pas les rangs d'un groupe (95_%)_: 1–2.
    Le joueur 1 a un avantage de 234 ±584 Elo_; 60,2_% des parties entre égaux sont nulles.
    Le fichier ne contient pas les coups_: toutes les parties sont tenues pour distinctes.
    ");
}

#[test]
fn a_bot_is_begun_in_french() {
    let scratch = Scratch::new();
    let ran = scratch.run("new python éloïse --lang fr").done();
    insta::assert_snapshot!(shown(&ran.stdout), @"
    éloïse_: un bot en Python qui joue à l'awalé coloré

    Ensuite_:
      pitmaster check éloïse
      pitmaster play éloïse house:greedy
      (cd éloïse && python3 test.py)

    Son README.md dit par quoi commencer.
    ");
    insta::assert_snapshot!(shown(&scratch.read("éloïse/README.md")), @r#"
    # Un bot en Python

    Il joue à l'awalé coloré_: il regarde jusqu'à quatre coups à l'avance et compte les graines prises.
    Aux autres jeux, il joue le premier coup légal.

    | fichier | rôle |
    |---|---|
    | `think.py` | le choix du coup_: **le fichier à modifier** |
    | `rules.py` | les règles_: un plateau, ses coups légaux, en jouer un, la fin |
    | `wire.py` | écoute l'arbitre et répond_; personne n'a besoin d'y toucher |
    | `test.py` | les tests des règles et du choix du coup |
    | `bot.toml` | le nom du bot, et comment il est lancé |

    ## Dix minutes

    Le tester, dans ce dossier_:

    ```sh
    python3 test.py
    ```

    L'examiner et regarder une partie, dans le dossier au-dessus_:

    ```sh
    pitmaster check éloïse
    pitmaster play éloïse house:greedy
    ```

    Maintenant, une première idée à vous. `evaluate` dans `think.py` dit ce que vaut un plateau, et ne
    connaît que les graines prises. Faites-lui compter aussi les coups légaux du joueur au trait, par
    exemple_: qui en a beaucoup peut choisir. Gardez une copie du bot tel quel, modifiez-le, et opposez
    les deux_:

    ```sh
    cp -r éloïse before
    pitmaster match éloïse before house:greedy
    ```

    ## Et ensuite

    - Augmentez `DEPTH`. L'horloge arrête la recherche à temps, quelle que soit sa valeur.
    - Regardez d'abord les coups qui prennent le plus_: la recherche élague alors davantage.
    - Pensez aux graines de son propre côté, aux cases d'une ou deux graines qui peuvent être prises, à
      ce qui reste quand il y a peu de graines sur le plateau.

    N'écrivez rien sur la sortie standard_: l'arbitre la lit. La sortie d'erreur est à vous, avec
    `print(…, file=sys.stderr)`.

    `pitmaster help protocol` décrit le protocole. Lancé avec son numéro de joueur, `python3 wire.py 1`,
    il parle le dialecte `arena`_: tapez `START`, puis des coups du joueur 2 comme `2R`. Pour un
    concours dans ce dialecte, écrivez ceci dans `bot.toml`_:

    ```toml
    run = ["python3", "wire.py", "{n}"]
    dialect = "arena"
    ```

    Tout ceci peut être copié et modifié librement, sans conditions (0BSD).
    "#);
    scratch.run("new python english").done();
    for file in ["bot.toml", "rules.py", "think.py", "wire.py", "test.py"] {
        let read = |folder: &str| scratch.read(&format!("{folder}/{file}"));
        assert_eq!(read("éloïse"), read("english"), "{file}");
    }
}

#[test]
fn every_kit_has_its_readme_in_french() {
    let scratch = Scratch::new();
    let kits = ["c", "cpp", "go", "java", "javascript", "python", "rust"];
    let all =
        kits.iter().map(|kit| (*kit, "")).chain([("python", "--game kalah"), ("c", "--no-rules")]);
    for (place, (kit, flags)) in all.enumerate() {
        scratch.run(&format!("new {kit} fr{place} {flags} --lang fr")).done();
        let readme = scratch.read(&format!("fr{place}/README.md"));
        let english = ["the ", "The ", " is ", " of ", " your "];
        let left: Vec<_> =
            readme.lines().filter(|line| english.iter().any(|word| line.contains(word))).collect();
        assert!(left.is_empty(), "{kit} {flags}: {left:?}");
        assert!(readme.contains(&format!("pitmaster check fr{place}")), "{readme}");
    }
}

#[test]
fn a_contest_is_begun_in_french() {
    let scratch = Scratch::new();
    let ran = scratch.run("new contest Coupe-d'été --lang fr").done();
    insta::assert_snapshot!(shown(&ran.stdout), @r"
    'Coupe-d'\''été'_: un concours d'awalé coloré

    Ensuite_:
      pitmaster new python 'Coupe-d'\''été'/bots/first    ou ce qui a été rendu
      cd 'Coupe-d'\''été'
      pitmaster check bots/*/                     ce qui ne va pas dans chaque bot
      pitmaster run contest.toml                  jouer, ou continuer

    Son README.md dit le reste.
    ");
    insta::assert_snapshot!(shown(&scratch.read("Coupe-d'été/README.md")), @"
    # Un concours

    | quoi | où |
    |---|---|
    | les règles du concours_: jeu, horloges, paires | `contest.toml` |
    | un dossier pour chaque bot rendu | `bots/` |
    | ce que doit savoir qui rend un bot | `bots/README.md` |
    | les résultats | `results/contest/` |

    Tapez tout ceci dans ce dossier. Les bots tournent dans un bac à sable, sans réseau et sans vos
    fichiers_; `pitmaster doctor` dit ce qu'il peut promettre sur cette machine.

    ## Avant

    Ce qui ne va pas dans les bots, et ce qu'il faut y faire_:

    ```sh
    pitmaster check bots/*/
    ```

    Ce qu'il leur faut pour tourner doit être sur cette machine, leurs compilateurs aussi. Les bots sont
    copiés et compilés avant la première partie_; ce qui est dans `bots/` n'est jamais modifié.

    ## Jouer

    ```sh
    pitmaster run contest.toml
    ```

    Ctrl-C l'arrête après les parties en cours. La même commande reprend où elle en était_: quel que
    soit l'arrêt, même par une panne de la machine, et quand des bots ont été ajoutés, remplacés ou
    retirés, ce qui ne coûte que leurs propres parties. `--until 07:30` ne commence rien après cette
    heure, `--lanes 4` joue quatre parties à la fois si la machine a assez de cœurs.

    Le bot de la maison `greedy` participe comme étalon, avec un Elo fixé à 1500. Un seul autre bot
    suffit pour commencer.

    ## Après

    ```sh
    pitmaster standings results/contest
    pitmaster replay results/contest GAME-ID
    ```

    | fichier dans `results/contest/` | ce qu'il contient |
    |---|---|
    | `leaderboard.csv` | une ligne par bot_: points, Elo, leurs intervalles, forfaits |
    | `games.csv` | une ligne par partie_: qui, résultat, pourquoi elle a fini |
    | `crosstable.csv` | ce que chacun a pris à chaque autre |
    | `bots/` | chaque bot tel qu'il a été rendu, avec le journal de sa compilation |

    La même graine et les mêmes bots, s'ils sont déterministes, donnent les mêmes fichiers. Pour
    recommencer à côté d'anciens résultats_: `pitmaster run contest.toml --fresh`.
    ");
    insta::assert_snapshot!(shown(&scratch.read("Coupe-d'été/bots/README.md")), @"
    # Ce qu'il faut rendre

    Un dossier à vous ici, avec votre bot dedans_: ses sources, et un `bot.toml` qui dit comment il est
    compilé et lancé. Rien n'est à compiler avant. Le nom du dossier est le nom du bot, à moins que le
    `bot.toml` ne lui en donne un autre_: lettres de a à z, chiffres, `.`, `_` et `-`, 40 au plus.

    Pour commencer, et pour voir si tout va bien_:

    ```sh
    pitmaster new python my-bot
    pitmaster check my-bot
    ```

    Au lieu de `python`, vous pouvez écrire `c`, `cpp`, `go`, `java`, `javascript` ou `rust`_; tout
    autre langage convient aussi, et `pitmaster help protocol` décrit le protocole. Les réglages de ce
    concours sont dans `contest.toml`_: le jeu, le temps par coup, le nombre de rencontres entre deux
    bots.

    - La bibliothèque standard seulement, sauf indication contraire. Il n'y a pas de réseau.
    - N'écrivez que vos réponses sur la sortie standard, et videz le tampon après chaque ligne. La
      sortie d'erreur est à vous.
    - Un bot qui plante, qui dépasse le temps ou qui joue un coup illégal perd cette partie.
    ");
}

#[test]
fn a_language_that_is_not_spoken_is_refused_with_those_that_are() {
    let scratch = Scratch::new();
    for args in ["check bots/greedy-python", "standings results/cup", "new python mine"] {
        let ran = scratch.run(&format!("{args} --lang de"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        assert!(ran.stderr.contains("there is no \"de\"; a language is en or fr"), "{}", ran.all());
    }
    // The environment may name any: what is not spoken is English.
    let ran = run_in(&scratch, &[("LANG", "de_AT.UTF-8")], "new python mine").done();
    assert!(ran.stdout.starts_with("created mine: a bot in Python"), "{}", ran.all());
}
