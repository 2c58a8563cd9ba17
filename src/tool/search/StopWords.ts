/** Words that say nothing of what a tool does: of the languages that requests come in, and of how people ask. */

const list = `
a an the this that these those some any each every all both either another other such same
i me my mine we us our you your he she it its they them their who whom which what whose where when why how
is are was were be been being am do does did done doing have has had having can could will would shall should may might must
and or but if then else so because as of at by for with about into onto through from to up down in out on off over under via per
no not nor only own too very just also than there here again once now still yet
please kindly want wants wanted need needs needed like would let lets help try thanks thank hey hi ok okay
using used use uses able e g i.e eg ie etc s t d ll ve re m don doesn didn isn
much many lot lots few several bit long often away back already yet ever never soon maybe really quite currently
one two thing things stuff something anything everything somebody someone way kind lot
der die das den dem des ein eine einen einem einer eines und oder ist sind war mir mich mein meine meinen meinem ich du wir sie es uns
im in am an auf aus bei mit nach seit von vom zu zum zur fur uber unter als auch nur nicht bitte kannst konnte soll sollen alle alles was welche welcher welches dieser diese dieses diesen wie wo gibt jetzt mal noch gerade aktuell anderen andere anderes
le la les un une des du de et ou est sont dans sur sous avec pour par au aux ce cet cette ces mon ma mes moi je tu nous vous il elle ils que qui quoi quel quelle quels quelles toutes tous tout toute en y ne pas plus svp dois peux peut veux voudrais
el los las unos unas y o es son con por para del al este esta estos estas mi mis me yo tu su sus que cual cuales todos todas todo toda lo se en quiero puedes puede favor hay
il lo gli uno di da nel nella nei nelle sul sulla col per tra fra che chi cui questo questa questi queste mio mia miei mie tutti tutte tutto voglio puoi quali quale mi si ci sono dei delle degli della dello dal dalla
os as um uma uns umas do dos nos na nas no ao aos pelo pela meu minha meus minhas eu voce quero pode em e com para todos todas seu sua qual quais
de het een en of is zijn op met voor van naar door bij ik je jij wij mij mijn alle welke wat wil graag deze dit die dat er te om uit
w z ze do na i lub jest sa dla od po przy mi mnie moj moja moje wszystkie ten ta to te tej tego jaki jakie prosze chce czy sie oraz nowy
och att ett en det den som for med till av pa jag vill alla mig min
и в на с по для из к у о от до мне мой все это что как какие
`

export const stopWords: ReadonlySet<string> = new Set(list.split(/\s+/).filter((word) => word !== ""))
