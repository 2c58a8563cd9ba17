/**
 * Requests that were written after the thesaurus, to see how it does on what it was not made for, and that it has learned from since:
 * they are tuned on, and never reported.
 */

export const explored = {
  paraphrases: `
peek into the config of this app before I start it -> filesystem/read_file | filesystem/read_text_file | desktop/read_file | desktop/get_config
which edits have I made that are still only local -> git/git_status | git/git_diff
since when has this function been there and who put it there -> git/git_blame | git/git_log
I need the release labelled 2.0 -> git/git_tag
hide my changes for a moment, I must do something else first -> git/git_stash
let the others see my commits -> git/git_push
squash two histories together -> git/git_merge | git/git_rebase
complain about a malfunction to the developers -> github/create_issue
is my contribution green already, did the checks pass -> github/get_pull_request_status
which bits of source mention this constant across all of GitHub -> github/search_code
put this sentence at the end of my essay -> filesystem/edit_file | filesystem/write_file | desktop/write_file | desktop/edit_block
drag the essay into the archive directory -> filesystem/move_file | desktop/move_file
how many bytes does the essay have -> filesystem/get_file_info | desktop/get_file_info | filesystem/list_directory_with_sizes
learn that Tom is the brother of Lisa -> memory/create_relations | memory/create_entities | memory/add_observations
tell me all that you have learned so far -> memory/read_graph | memory/search_nodes | memory/open_nodes
surf to example.com -> playwright/browser_navigate | chrome-devtools/navigate_page | chrome-devtools/new_page
what would a visitor see right now -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot | playwright/browser_snapshot | chrome-devtools/take_snapshot
say yes to the confirmation box -> playwright/browser_handle_dialog | chrome-devtools/handle_dialog
log in with my name and password on the page -> playwright/browser_fill_form | chrome-devtools/fill_form | playwright/browser_type | chrome-devtools/fill | chrome-devtools/type_text
which requests failed while loading -> playwright/browser_network_requests | chrome-devtools/list_network_requests
how quickly does my homepage come up -> chrome-devtools/performance_start_trace | chrome-devtools/lighthouse_audit | chrome-devtools/performance_analyze_insight
share of each party in the parliament as a picture -> chart/generate_pie_chart
temperature curve of the last week -> chart/generate_line_chart | chart/generate_area_chart
put pins on all our branch offices -> chart/generate_pin_map
compare turnover of five stores side by side -> chart/generate_bar_chart | chart/generate_column_chart
my pod keeps restarting, what does it say -> kubernetes/pods_log | kubernetes/events_list
what is deployed in the cluster at the moment -> kubernetes/resources_list | kubernetes/pods_list
replace the running version with this yaml -> kubernetes/resources_create_or_update
how many orders did we get in May -> mongodb/count | mongodb/aggregate | mongodb/find
throw the whole thing away, all the tables too -> mongodb/drop-database | mongodb/drop-collection
which data stores are on this instance -> mongodb/list-databases
any fresh news about the elections -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
save this site as markdown -> firecrawl/firecrawl_scrape | tavily/tavily_extract | exa/web_fetch_exa
how is useEffect meant to be called, according to the authors -> context7/query-docs | context7/resolve-library-id
where do my API tokens live in Microsoft's cloud -> azure/keyvault
what is the monthly bill for this machine going to be -> azure/pricing
what are our users running into in production -> sentry/search_issues | sentry/search_events | sentry/search_issue_events
are there style problems in my TypeScript -> eslint/lint-files
what is eating my CPU on this laptop -> desktop/list_processes
get the colours and spacing from the designer's draft -> figma/get_figma_data
discard everything I did since the last commit -> git/git_reset | git/git_checkout | git/git_stash | git/git_clean
what did the team do on the project last week -> git/git_log | github/list_commits | git/git_changelog_analyze
get the newest state from the server -> git/git_pull | git/git_fetch
see all open problems of the project -> github/list_issues | github/search_issues | sentry/search_issues
someone should look over my patch before it goes in -> github/create_pull_request | github/create_pull_request_review
which files does this proposal touch -> github/get_pull_request_files
make an empty folder called drafts -> filesystem/create_directory | desktop/create_directory
find all photos ending in .jpg -> filesystem/search_files | desktop/start_search
print the text of notes.txt -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
correct a spelling mistake in my letter -> filesystem/edit_file | desktop/edit_block
what have I told you about my sister -> memory/search_nodes | memory/read_graph | memory/open_nodes
note for the future that I am allergic to nuts -> memory/add_observations | memory/create_entities
snap a picture of the current website -> playwright/browser_take_screenshot | chrome-devtools/take_screenshot
type my address into the box -> playwright/browser_type | chrome-devtools/type_text | chrome-devtools/fill | playwright/browser_fill_form | chrome-devtools/fill_form
push the blue button -> playwright/browser_click | chrome-devtools/click
did the website throw any errors -> playwright/browser_console_messages | chrome-devtools/list_console_messages | chrome-devtools/get_console_message
how does the shop look on a tablet -> chrome-devtools/emulate | chrome-devtools/resize_page | playwright/browser_resize
percentages of our budget as a round picture -> chart/generate_pie_chart
draw the hierarchy of our departments -> chart/generate_organization_chart | chart/generate_treemap_chart | chart/generate_mind_map
plot height against weight -> chart/generate_scatter_chart
a timeline of website visits -> chart/generate_line_chart | chart/generate_area_chart
restart the failing container -> kubernetes/pods_delete | kubernetes/resources_create_or_update | kubernetes/resources_scale
remove the service from the cluster -> kubernetes/resources_delete
show me a few customers older than 50 -> mongodb/find
add ten sample records -> mongodb/insert-many
what tables are there -> mongodb/list-collections | mongodb/list-databases
is there anything on the internet about quantum batteries -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
summarize what this homepage says -> firecrawl/firecrawl_scrape | tavily/tavily_extract | exa/web_fetch_exa
how does one write a custom hook, what do the docs say -> context7/query-docs | context7/resolve-library-id
shut down the hanging program -> desktop/kill_process | desktop/force_terminate
back to how the code was this morning -> git/git_reset | git/git_checkout | git/git_reflog
who is responsible for this piece of code -> git/git_blame | git/git_log
give me an isolated copy of the sources to experiment with -> git/git_worktree | git/git_clone | git/git_branch | github/create_branch
move my work onto the tip of the main line -> git/git_rebase
what are the remotes called -> git/git_remote
tell the maintainers about a crash -> github/create_issue
mark that ticket as done -> github/update_issue | sentry/update_issue
bring this contribution into the main line -> github/merge_pull_request | git/git_merge
who commented on my proposal -> github/get_pull_request_comments | github/get_pull_request_reviews
put several source files online in one go -> github/push_files
hunt for a document whose name contains invoice -> filesystem/search_files | desktop/start_search
where is most of my disk space going in this directory -> filesystem/list_directory_with_sizes
relocate the report to the backup drive -> filesystem/move_file | desktop/move_file
look into three documents together -> filesystem/read_multiple_files | desktop/read_multiple_files
store this poem as a text document -> filesystem/write_file | desktop/write_file
please memorise my favourite colour -> memory/add_observations | memory/create_entities
erase what you know about my boss -> memory/delete_entities | memory/delete_observations
is there a link between Alice and the Acme corporation -> memory/search_nodes | memory/read_graph | memory/open_nodes
go one step back in the history of the tab -> playwright/browser_navigate_back | chrome-devtools/navigate_page
tick the checkbox -> playwright/browser_click | chrome-devtools/click | playwright/browser_fill_form
enter my search term and confirm -> playwright/browser_type | chrome-devtools/type_text | chrome-devtools/fill | playwright/browser_press_key | chrome-devtools/press_key
is my site quick enough for phones -> chrome-devtools/lighthouse_audit | chrome-devtools/performance_start_trace | chrome-devtools/emulate
which scripts and styles does the page pull in -> playwright/browser_network_requests | chrome-devtools/list_network_requests
how is income spread over the population -> chart/generate_histogram_chart | chart/generate_boxplot_chart | chart/generate_violin_chart
where do visitors give up on their way to the checkout -> chart/generate_funnel_chart
sketch our departments from the boss down -> chart/generate_organization_chart
stock price since January as a curve -> chart/generate_line_chart | chart/generate_area_chart
reasons for the delay, laid out like bones -> chart/generate_fishbone_diagram
what is going on inside the container right now -> kubernetes/pods_log | kubernetes/pods_exec | kubernetes/pods_top | kubernetes/pods_get
double the number of instances of the web frontend -> kubernetes/resources_scale
is any machine in the cluster overloaded -> kubernetes/nodes_top | kubernetes/nodes_stats_summary
give every client in Paris a new phone number -> mongodb/update-many
get rid of all entries that are older than a year -> mongodb/delete-many
what does a typical entry look like -> mongodb/collection-schema | mongodb/find
read up on the latest about climate policy -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search | tavily/tavily_research
download the words of a blog post -> firecrawl/firecrawl_scrape | tavily/tavily_extract | exa/web_fetch_exa
correct way to call this library function -> context7/query-docs | context7/resolve-library-id
what did production complain about tonight -> sentry/search_issues | sentry/search_events | sentry/search_issue_events
hide credentials somewhere safe in the cloud -> azure/keyvault
end the task that hogs the processor -> desktop/kill_process | desktop/force_terminate
`,
  languages: `
welche Dateien wurden geändert -> git/git_diff | git/git_status
Suche im Code nach einer Funktion -> github/search_code | desktop/start_search
Balkendiagramm erstellen -> chart/generate_bar_chart | chart/generate_column_chart
formulaire à remplir sur la page -> playwright/browser_fill_form | chrome-devtools/fill_form
écrire dans un fichier -> filesystem/write_file | desktop/write_file
lister les bases de données -> mongodb/list-databases
enviar los commits al remoto -> git/git_push
¿qué hora es? -> clock/get-time
elencare i pod del cluster -> kubernetes/pods_list | kubernetes/pods_list_in_namespace
fechar a página do navegador -> playwright/browser_close | chrome-devtools/close_page
zoek op het internet -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
创建饼图 -> chart/generate_pie_chart
搜索文件 -> filesystem/search_files | desktop/start_search
ブランチを作成 -> github/create_branch | git/git_branch
フォルダを作成 -> filesystem/create_directory | desktop/create_directory
erstelle eine Notiz in Notion -> notion/API-post-page
Wortwolke aus den Kommentaren -> chart/generate_word_cloud_chart
fusionner la pull request -> github/merge_pull_request
renommer le fichier -> filesystem/move_file | desktop/move_file
eliminar el pod -> kubernetes/pods_delete
hacer clic en el botón -> playwright/browser_click | chrome-devtools/click
leggi il file -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
procurar na internet -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
lees het bestand -> filesystem/read_file | filesystem/read_text_file | desktop/read_file
szukaj w internecie -> tavily/tavily_search | exa/web_search_exa | firecrawl/firecrawl_search
создать папку -> filesystem/create_directory | desktop/create_directory
表单填写 -> playwright/browser_fill_form | chrome-devtools/fill_form
データベースの一覧 -> mongodb/list-databases
Zeige mir die Fehler der Konsole -> playwright/browser_console_messages | chrome-devtools/list_console_messages
Verzeichnis anlegen -> filesystem/create_directory | desktop/create_directory
Landkarte mit Markierungen erzeugen -> chart/generate_pin_map | chart/generate_path_map | chart/generate_district_map
chercher un fichier par son nom -> filesystem/search_files | desktop/start_search
cliquer sur le bouton -> playwright/browser_click | chrome-devtools/click
crear una rama nueva -> github/create_branch | git/git_branch
mostrar los registros del contenedor -> kubernetes/pods_log
aggiungi un commento alla issue -> github/add_issue_comment
copiar o repositório -> git/git_clone | github/fork_repository
branch verwijderen -> git/git_branch
otwórz stronę w przeglądarce -> playwright/browser_navigate | chrome-devtools/new_page | chrome-devtools/navigate_page | playwright/browser_tabs
показать список процессов -> desktop/list_processes | desktop/list_sessions
コミット履歴を表示 -> git/git_log | github/list_commits
运行命令 -> desktop/start_process | kubernetes/pods_exec
`,
  none: `
how do I fold a fitted sheet
grill some sausages
remind grandpa to take his pills
which wine goes with fish
sew a button on
put the bins out
repair my bicycle
what is the population of Chad
whistle a tune
plan my wedding
clean the windows of the house
teach the parrot to talk
tell me a joke about lawyers
pack my suitcase
jump start the car
trim the hedge
what colour is an aardvark
mend the roof
boil an egg
tie my shoelaces
what is the tallest tree
massage my shoulders
wake me at seven
catch a fish
dye my hair blue
roast a chicken
count sheep until I fall asleep
who painted the Mona Lisa
shine my boots
mix a cocktail
choose a name for the baby
light the fireplace
fly a kite
vote in the election
dance the tango
wash the dishes
sell my old sofa
learn to juggle
peel the potatoes
swim across the channel
name a good wine
hang a picture on the wall
scratch my back
grow tomatoes
whose turn is it to cook
tickle the baby
how far is the moon
polish my nails
book a massage
ride a horse
win the lottery
catch the bus
blow out the candles
take the rubbish down
find my glasses
iron the tablecloth
teach me to swim
do the laundry
`
} as const
